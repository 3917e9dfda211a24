import { expect, test } from "vitest";
import { createFormulas } from "#local/llm/formulas.ts";
import { parseFormulas } from "#server/ai/formulas/find-formulas.ts";

test.each([
  [
    "So we start with x squared plus one over n.",
    "x squared plus one over n",
    "x^2 + \\frac{1}{n}",
  ],
  ["所以x的平方加n分之一。", "x的平方加n分之一", "x^2+\\frac{1}{n}"],
])("answers “%s” with what it says", (sentence, words, tex) => {
  expect(parseFormulas(createFormulas(sentence), sentence)).toEqual({
    formulas: [{ words, tex }],
    refused: 0,
  });
});

test("answers a sentence without mathematics with nothing", () => {
  expect(JSON.parse(createFormulas("Good morning to you all."))).toEqual({ formulas: [] });
});
