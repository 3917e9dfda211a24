import fc from "fast-check";
import { expect, it } from "vitest";
import { compareAnswers, findSpans, hasWords, toAnswerKey } from "#shared/quiz-text.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

it.each([
  ["1,000,000 m", "1000000 M"],
  ["10.000,5", "10000.5"],
  ["3,5", "3.5"],
  ["1 000 km", "1000 km"],
  ["٣٫٥", "3.5"],
  ["Don’t panic!", "dont panic"],
  ["九 米。", "九米"],
  ["Ｈｅｌｌｏ", "hello"],
])("takes %s and %s for the same answer", (one, other) => {
  expect(toAnswerKey(one)).toBe(toAnswerKey(other));
});

it.each([
  ["in 2015, 300 people", "2015300"],
  ["minus 5", "-5 %"],
  ["15 %", "15"],
  ["a + b", "a b"],
])("keeps %s and %s apart", (one, other) => {
  expect(toAnswerKey(one)).not.toBe(toAnswerKey(other));
});

it("finds words and numbers as wholes, also in scripts without spaces", () => {
  expect(hasWords("Light in daylight", "light")).toBe(true);
  expect(hasWords("daylight", "light")).toBe(false);
  expect(hasWords("1,500 m", "500 m")).toBe(false);
  expect(hasWords("每年变薄九米。", "九米")).toBe(true);
  expect(findSpans("Café, CAFE\u0301.", "café")).toEqual([
    { start: 0, end: 4 },
    { start: 6, end: 10 },
  ]);
  expect(hasWords("anything", " … ")).toBe(false);
});

it("finds each word of a text in it, and nothing that is not in it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-zé]{1,8}$/), { minLength: 1, maxLength: 12 }),
      fc.nat(),
      (words, at) => {
        const text = words.join(", ");
        const word = words[at % words.length] ?? "";
        expect(findSpans(text, word.toUpperCase())).toHaveLength(
          words.filter((one) => one === word).length,
        );
        expect(hasWords(text, `${word}q`)).toBe(words.includes(`${word}q`));
      },
    ),
    { numRuns: countRuns(300) },
  );
});

it.each([
  ["refracton", "refraction", "typo"],
  ["erfraction", "refraction", "typo"],
  ["thermodinamics", "thermodynamics", "typo"],
  ["refractions", "refraction", "typo"],
  ["Refraction.", "refraction", "same"],
  ["snel", "snell", "other"],
  ["cut", "cat", "other"],
  ["2016", "2015", "other"],
  ["八米", "九米", "other"],
  ["reflection", "refraction", "other"],
  ["", "refraction", "other"],
] as const)("compares %s with %s: %s", (typed, answer, expected) => {
  expect(compareAnswers(typed, answer)).toBe(expected);
});
