import type { QuizQuestion } from "#shared/quiz.ts";
import { toAnswerKey } from "#shared/quiz-text.ts";

/** Questions of a lecture with the same key are one question. */
export const toQuestionKey = ({ prompt, answer }: Pick<QuizQuestion, "prompt" | "answer">) =>
  `${toAnswerKey(prompt)} ${toAnswerKey(answer)}`;
