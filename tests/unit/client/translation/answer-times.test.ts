import { expect, test } from "vitest";
import { AnswerTimes } from "#client/translation/answer-times.ts";

const after = (...ms: number[]) => {
  const times = new AnswerTimes();
  for (const one of ms) times.add(one, 0);
  return times;
};

test("fewer requests at a time, the slower the answers are", () => {
  expect(after().width).toBe(2);
  expect(after(300, 900, 1_999).width).toBe(4);
  expect(after(3_000).width).toBe(2);
  expect(after(6_000).width).toBe(1);
  expect(after(30_000).width).toBe(1);
});

test("one slow answer among fast ones changes nothing", () => {
  expect(after(300, 30_000, 300).width).toBe(4);
  expect(after(300, 30_000, 300).isQuick).toBe(true);
});

test("quick is under a second", () => {
  expect(after().isQuick).toBe(true);
  expect(after(999).isQuick).toBe(true);
  expect(after(1_000).isQuick).toBe(false);
});

test("the limit follows the answers, and grows after one that did not come", () => {
  const times = after(500);
  expect(times.limitMs).toBe(20_000);
  times.addTimeout();
  expect(times.limitMs).toBe(40_000);
  times.add(15_000, 0);
  expect(times.limitMs).toBe(60_000);
  for (const _ of [1, 2, 3, 4]) times.addTimeout();
  expect(times.limitMs).toBe(160_000);
  expect(times.width).toBe(1);
  times.add(500, 0);
  expect(times.limitMs).toBe(20_000);
});

test("who has answered in the last two minutes is alive", () => {
  expect(after().isAlive(0)).toBe(false);
  expect(after(500).isAlive(119_999)).toBe(true);
  expect(after(500).isAlive(120_000)).toBe(false);
});
