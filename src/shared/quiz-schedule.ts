import { createEmptyCard, fsrs, Rating } from "ts-fsrs";
import type { QuizMemory, QuizQuestion, QuizRating, QuizReview } from "./quiz.ts";

// When a question is asked again. A right answer leads to days at once, a wrong one to ten minutes.
// Source: https://github.com/open-spaced-repetition/ts-fsrs (FSRS 6, 2026-12-01)

const scheduler = fsrs({
  enable_fuzz: false,
  learning_steps: ["10m"],
  relearning_steps: ["10m"],
});

const grades = { again: Rating.Again, good: Rating.Good } as const;

export type QuizSchedule = Pick<QuizQuestion, "memory" | "dueAt">;

/** The schedule after a review. One that was answered before the last one that is known counts as answered then. */
export function applyReview(
  { memory, dueAt }: QuizSchedule,
  { rating, answeredAt }: Pick<QuizReview, "rating" | "answeredAt">,
): { memory: QuizMemory; dueAt: string } {
  const now = new Date(
    Math.max(Date.parse(answeredAt), memory ? Date.parse(memory.reviewedAt) : 0),
  );
  const card = memory
    ? {
        due: dueAt,
        state: memory.state,
        stability: memory.stability,
        difficulty: memory.difficulty,
        elapsed_days: 0,
        scheduled_days: memory.days,
        learning_steps: memory.step,
        reps: memory.reviews,
        lapses: memory.lapses,
        last_review: memory.reviewedAt,
      }
    : createEmptyCard(now);
  const next = scheduler.next(card, now, grades[rating as QuizRating]).card;
  return {
    memory: {
      state: next.state,
      stability: next.stability,
      difficulty: next.difficulty,
      days: next.scheduled_days,
      step: next.learning_steps,
      reviews: next.reps,
      lapses: next.lapses,
      reviewedAt: now.toISOString(),
    },
    dueAt: next.due.toISOString(),
  };
}
