import fc from "fast-check";
import { expect, test } from "vitest";
import {
  chooseQuestion,
  findNextTime,
  orderChoices,
} from "#client/features/quiz/choose-question.ts";
import type { QuizQuestion } from "#shared/quiz.ts";
import { applyReview } from "#shared/quiz-schedule.ts";
import { createQuizQuestion } from "#tests/unit/client/kit/quiz.ts";

const at = Date.parse("2026-12-01T10:00:00.000Z");
const minute = 60_000;
const toIso = (ms: number) => new Date(ms).toISOString();
const answer = (question: QuizQuestion, rating: "again" | "good", now: number): QuizQuestion => ({
  ...question,
  ...applyReview(question, { rating, answeredAt: toIso(now) }),
});

test("asks for what has been due for longest, and then again for what was wrong", () => {
  const [a, b] = ["a", "b"].map((id, n) =>
    createQuizQuestion({ id, dueAt: toIso(at - 2 * minute + n) }),
  );
  if (!a || !b) throw new Error("missing");
  const choose = (items: QuizQuestion[], now: number, lastId: string | null = null) =>
    chooseQuestion(items, { now, lastId })?.id ?? null;
  expect(choose([b, a], at)).toBe("a");
  const wrong = answer(a, "again", at);
  expect(choose([wrong, b], at, "a")).toBe("b");
  const right = answer(b, "good", at + minute);
  expect(choose([wrong, right], at + minute, "b")).toBe("a");
  const known = answer(wrong, "good", at + 2 * minute);
  expect(choose([known, right], at + 2 * minute, "a")).toBeNull();
  expect(findNextTime([known, right])).toBeGreaterThan(at + 24 * 60 * minute);
  expect(choose([known, right], findNextTime([known, right]) ?? 0)).not.toBeNull();
});

test("a session ends, whatever is answered right in the end, and then nothing is due", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 * minute }),
      (mistakes, pauseMs) => {
        let items = mistakes.map((_, n) => createQuizQuestion({ id: `q${n}`, dueAt: toIso(at) }));
        const left = new Map(mistakes.map((count, n) => [`q${n}`, count]));
        let now = at;
        let lastId: string | null = null;
        const total = mistakes.reduce((sum, count) => sum + count + 1, 0);
        for (let n = 0; n < total; n += 1) {
          const question = chooseQuestion(items, { now, lastId });
          if (!question) throw new Error("ended early");
          const count = left.get(question.id) ?? 0;
          left.set(question.id, count - 1);
          const answered = answer(question, count > 0 ? "again" : "good", now);
          items = items.map((one) => (one.id === question.id ? answered : one));
          lastId = question.id;
          now += pauseMs;
        }
        expect([...left.values()].every((count) => count === -1)).toBe(true);
        // Nobody waits for what comes back after days.
        if (now < at + 24 * 60 * minute) expect(chooseQuestion(items, { now, lastId })).toBeNull();
      },
    ),
  );
});

test("shows all choices, in another order after a review", () => {
  const choices = ["a", "b", "c", "d"];
  const question = createQuizQuestion({ kind: "choice", choices, answer: "a" });
  const orders = new Set<string>();
  let now = question;
  for (let n = 0; n < 8; n += 1) {
    const order = orderChoices(now);
    expect(order.toSorted()).toEqual(choices);
    expect(orderChoices(now)).toEqual(order);
    orders.add(order.join());
    now = answer(now, "again", at + n * minute);
  }
  expect(orders.size).toBeGreaterThan(2);
});
