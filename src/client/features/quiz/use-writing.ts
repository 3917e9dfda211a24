import { useEffect, useRef, useState } from "react";
import { type ApiError, toApiError } from "#client/lib/call-server.ts";
import { refetchQuiz, writeQuiz } from "#client/state/quiz.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { QuizLecture } from "#shared/quiz.ts";

export interface WritingState {
  step: "ready" | "writing" | "stopped" | "finished";
  /** Lectures that were read, of `lectures`. */
  done: number;
  lectures: number;
  written: number;
  leftOut: number;
  /** Why it stopped; null: the person has stopped it. */
  problem: ApiError | null;
}

const none: WritingState = {
  step: "ready",
  done: 0,
  lectures: 0,
  written: 0,
  leftOut: 0,
  problem: null,
};

/** Has the model write questions on lectures, one after another. A page that is left ends it; what is stored by then stays. */
export function useWriting() {
  const [state, setState] = useState(none);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  async function write(
    lectures: readonly QuizLecture[],
    getLanguage: (lecture: QuizLecture) => TranslationLanguage,
  ) {
    const controller = new AbortController();
    const { signal } = controller;
    work.current = controller;
    let now: WritingState = { ...none, step: "writing", lectures: lectures.length };
    const show = (change: Partial<WritingState>) => {
      now = { ...now, ...change };
      if (!signal.aborted) setState(now);
    };
    show({});
    for (const [done, lecture] of lectures.entries()) {
      const { written, leftOut } = now;
      try {
        const input = { lectureId: lecture.id, language: getLanguage(lecture) };
        for await (const progress of writeQuiz(input, signal))
          show({ done, written: written + progress.written, leftOut: leftOut + progress.leftOut });
      } catch (failure) {
        if (signal.aborted) return;
        const problem = toApiError(failure);
        // It has as many as it may have, or is gone: the others may get some.
        const isOfOne = problem.code === "lecture_full" || problem.code === "not_found";
        if (!isOfOne || lectures.length === 1) {
          show({ step: "stopped", problem });
          break;
        }
      }
      if (signal.aborted) return;
      await refetchQuiz();
    }
    if (now.step === "writing") show({ step: "finished", done: lectures.length });
    await refetchQuiz();
  }

  function stop() {
    work.current?.abort();
    setState((before) => ({ ...before, step: "stopped", problem: null }));
    void refetchQuiz();
  }

  return { writing: state, write, stop };
}
