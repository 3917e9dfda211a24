import { useEffect, useRef, useState } from "react";
import { getLanguage } from "#client/i18n/bundle.ts";
import { listen } from "#client/lib/listen.ts";
import { isOffline } from "#client/state/offline.ts";
import { gradeQuizAnswer, saveAnswer } from "#client/state/quiz.ts";
import type { QuizQuestion } from "#shared/quiz.ts";
import { compareAnswers } from "#shared/quiz-text.ts";

/** How an answer was found right or wrong: by rule, by rule in spite of a typing error, by the model, or by the person. */
type Judge = "rule" | "typo" | "model" | "person";

export type AnswerState =
  | { step: "asked" }
  /** The model reads it. */
  | { step: "graded"; answer: string }
  /** Nothing can judge it but the person. */
  | { step: "compared"; answer: string }
  | { step: "answered"; answer: string; isRight: boolean; judge: Judge; reason: string };

/**
 * The answer to `question`. It counts when the next question is asked, or the page is left, so that the person can correct what
 * the model or a rule says of it.
 */
export function useAnswer(question: QuizQuestion, { hasModel }: { hasModel: boolean }) {
  const [state, setState] = useState<AnswerState>({ step: "asked" });
  const grading = useRef<AbortController | null>(null);
  const isSaved = useRef(false);

  /** Of the state when the question is left. Counts once. */
  const save = useRef(() => {});
  useEffect(() => {
    save.current = () => {
      if (state.step !== "answered" || isSaved.current) return;
      isSaved.current = true;
      saveAnswer(question, state.isRight ? "good" : "again");
    };
  });
  useEffect(() => {
    const end = listen(window, "pagehide", () => save.current());
    return () => {
      end();
      grading.current?.abort();
      save.current();
    };
  }, []);

  const judge = (answer: string, isRight: boolean, by: Judge, reason = "") =>
    setState({ step: "answered", answer, isRight, judge: by, reason });

  /** A choice, or what was typed; empty: the person does not know. */
  async function answer(given: string) {
    if (state.step !== "asked") return;
    const compared =
      question.kind === "choice"
        ? given === question.answer
          ? "same"
          : "other"
        : compareAnswers(given, question.answer);
    if (compared !== "other") return judge(given, true, compared === "same" ? "rule" : "typo");
    if (question.kind !== "short" || given === "") return judge(given, false, "rule");
    if (!hasModel || isOffline.get()) return setState({ step: "compared", answer: given });
    setState({ step: "graded", answer: given });
    const controller = new AbortController();
    grading.current = controller;
    try {
      const reasonIn = getLanguage() === "zh" ? "zh-cn" : "en";
      const input = { id: question.id, answer: given, reasonIn } as const;
      const { isRight, reason } = await gradeQuizAnswer(input, controller.signal);
      judge(given, isRight, "model", reason);
    } catch {
      if (!controller.signal.aborted) setState({ step: "compared", answer: given });
    }
  }

  /** Shows the right answer, which the person compares with what they think. */
  const reveal = () => setState({ step: "compared", answer: "" });

  /** The person has the last word. */
  const decide = (isRight: boolean) => {
    if (state.step !== "asked") judge(state.answer, isRight, "person");
  };

  return { state, answer, reveal, decide, save: () => save.current() };
}
