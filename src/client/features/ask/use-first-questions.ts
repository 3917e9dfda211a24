import { useEffect, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { countInWorker } from "#client/lib/frequency/count-in-worker.ts";
import { findMostSpoken } from "#client/reading/most-spoken.ts";
import { chooseQuestions, type FirstQuestion } from "./choose-questions.ts";
import { type Translate, useT } from "./messages/index.ts";

/** Characters of the lecture's beginning in which words are counted: about an hour of speech. */
const countedLength = 50_000;

/** Questions to begin with, in the interface's language: of the lecture as it was when it was asked for them. */
export function useFirstQuestions(lecture: LectureDocument): string[] {
  const t = useT();
  const [questions, setQuestions] = useState<FirstQuestion[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const rows = lecture.transcript.rows();
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
        const [terms, marks] = [lecture.terms.get(), lecture.marks.get()];
        const chosen = await chooseQuestions(rows, terms, marks, frequent, language);
        if (!leaving.signal.aborted) setQuestions(chosen);
      });
    return () => leaving.abort();
  }, [lecture]);
  return questions.map((question) => formatQuestion(question, t));
}

function formatQuestion(question: FirstQuestion, t: Translate): string {
  if (question.kind === "term") return t("ask.firstTerm", { term: question.term });
  if (question.kind === "words") return t("ask.firstWords", { words: question.words });
  const time = formatClock(question.ms / 1_000);
  return t("ask.firstMark", { time, sentence: question.sentence });
}
