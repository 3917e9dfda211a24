import { useEffect, useRef, useState } from "react";
import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { listAnswerLanguages } from "#client/reading/most-spoken.ts";
import { askForRecap } from "#client/state/recap.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { firstRange, selectRows } from "./recap-range.ts";
import { type RecapDigests, runRecap } from "./recap-run.ts";
import { type RecapEvent, type RecapView, startView, updateView } from "./recap-state.ts";

/** The recap of a lecture. It is written when it is asked for, and only then. */
export function useRecap(lecture: LectureDocument) {
  const [view, setView] = useState<RecapView | null>(null);
  const [digests] = useState<RecapDigests>(() => new Map());
  const call = useRef<AbortController>(null);
  const stop = () => call.current?.abort();
  useEffect(() => () => call.current?.abort(), []);

  /** Without a language: in that of the view, or the first of `listAnswerLanguages`. */
  function start(asked: Partial<Pick<RecapView, "range" | "language">> = {}) {
    stop();
    const controller = new AbortController();
    call.current = controller;
    const range = asked.range ?? view?.range ?? firstRange;
    const rows = selectRows(lecture.transcript.rows(), range);
    const languages = listAnswerLanguages(lecture.view.get(), rows);
    const wanted = asked.language ?? view?.language;
    const language = languages.find((one) => one === wanted) ?? languages[0] ?? "en";
    const last = rows.at(-1) ?? null;
    setView(startView({ range, language, last }));
    if (last) void run(rows, language, controller.signal);
  }

  async function run(
    rows: readonly TranscriptRow[],
    language: TranslationLanguage,
    signal: AbortSignal,
  ) {
    const update = (event: RecapEvent) => {
      if (!signal.aborted) setView((before) => before && updateView(before, event));
    };
    const task = {
      rows,
      language,
      digests,
      ask: askForRecap,
      terms: lecture.terms.get(),
      wordContext: lecture.view.get().context.trim(),
    };
    try {
      for await (const event of runRecap(task, signal)) update(event);
    } catch (failure) {
      update({ kind: "fail", failure });
    }
  }

  return { view, start, stop };
}
