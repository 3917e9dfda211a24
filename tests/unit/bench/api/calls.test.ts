import { expect, it } from "vitest";
import { hasAllResults } from "#bench/api/calls.ts";

const result = { result: { data: {} } };
const error = { error: { code: -32_603 } };

it.each([
  { answer: [result], count: 1, isComplete: true },
  { answer: [result, { result: {} }], count: 2, isComplete: true },
  { answer: [result], count: 2, isComplete: false },
  { answer: [result, error], count: 2, isComplete: false },
  { answer: [result, null], count: 2, isComplete: false },
  { answer: result, count: 1, isComplete: false },
])(
  "takes a batch with a failed or missing procedure for a failed call: $answer",
  ({ answer, count, isComplete }) => {
    expect(hasAllResults(JSON.stringify(answer), count)).toBe(isComplete);
  },
);

it("takes a page for a failed call", () => {
  expect(hasAllResults("<!doctype html>", 1)).toBe(false);
});
