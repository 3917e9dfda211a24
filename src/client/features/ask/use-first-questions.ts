import { useEffect, useEffectEvent, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { countInWorker } from "#client/lib/frequency/count-in-worker.ts";
import { findMostSpoken } from "#client/reading/most-spoken.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import type { Mark, TranscriptEntry } from "#shared/lecture.ts";
import { chooseQuestions, type FirstQuestion } from "./choose-questions.ts";
import { type Translate, useT } from "./messages/index.ts";

/** Characters of the lecture's beginning in which words are counted: about an hour of speech. */
const countedLength = 50_000;

interface AskedLecture {
  rows: readonly Omit<TranscriptEntry, "seq" | "translatedInto">[];
  terms: readonly Pick<GlossaryTerm, "term">[];
  marks: readonly Mark[];
}

/** Questions to begin with, in the interface's language: of the lecture as it was when it was asked for them. */
export function useFirstQuestions(lecture: LectureDocument): string[] {
  const t = useT();
  const chosen = useChosenQuestions(lecture, () => ({
    rows: lecture.transcript.rows(),
    terms: lecture.terms.get(),
    marks: lecture.marks.get(),
  }));
  return chosen.map((question) => formatQuestion(question, t));
}

/** What can be asked of a lecture that `read` gives, read again for another `key`; nothing while that is null. */
export function useChosenQuestions(key: unknown, read: () => AskedLecture): FirstQuestion[] {
  const [questions, setQuestions] = useState<FirstQuestion[]>([]);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (key === null) return;
    const leaving = new AbortController();
    const { rows, terms, marks } = readNow();
    const text = rows.map(({ original }) => original).join("\n");
    const pages = [{ text: text.slice(0, countedLength) }];
    const language = findMostSpoken(rows);
    countInWorker({ pages, language }, leaving.signal)
      .catch((failure: unknown) => {
        if (!leaving.signal.aborted) console.warn("Words could not be counted", failure);
        return [];
      })
      .then(async (frequent) => {
        if (leaving.signal.aborted) return;
        const chosen = await chooseQuestions(rows, terms, marks, frequent, language);
        if (!leaving.signal.aborted) setQuestions(chosen);
      });
    return () => leaving.abort();
  }, [key]);
  return questions;
}

/** `inLecture`: it is asked of one lecture, whose times say where something is. */
export function formatQuestion(question: FirstQuestion, t: Translate, inLecture = true): string {
  if (question.kind === "term") return t("ask.firstTerm", { term: question.term });
  if (question.kind === "words") return t("ask.firstWords", { words: question.words });
  const { sentence } = question;
  if (!inLecture) return t("ask.firstSentence", { sentence });
  return t("ask.firstMark", { time: formatClock(question.ms / 1_000), sentence });
}
