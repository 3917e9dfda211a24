import type { QuizQuestion } from "#shared/quiz.ts";

/** A question that was never answered. */
export const createQuizQuestion = (change: Partial<QuizQuestion> = {}): QuizQuestion => ({
  id: "00000000-0000-4000-8000-000000000001",
  lectureId: "00000000-0000-4000-8000-0000000000aa",
  kind: "cloze",
  prompt: "____ is slower in glass.",
  choices: [],
  answer: "Light",
  rows: [
    {
      id: "00000000-0000-4000-8000-0000000000bb",
      position: 3,
      startMs: 65_000,
      text: "Light is slower in glass.",
    },
  ],
  language: "en",
  memory: null,
  dueAt: "2026-11-20T08:00:00.000Z",
  createdAt: "2026-11-20T08:00:00.000Z",
  ...change,
});
