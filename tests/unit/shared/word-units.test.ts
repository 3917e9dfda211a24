import * as fc from "fast-check";
import { expect, it, test } from "vitest";
import { listComparable, listUnits, toComparable } from "#shared/word-units.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import {
  joinSentences,
  readSpokenSentences,
  testLanguages,
} from "#tests/fixtures/spoken-sentences.ts";

const split = (text: string) => listUnits(text).map((unit) => unit.text);

test.each([
  [
    "words with their spaces and marks",
    " It's  half-past “three”.",
    [" It's", "  half-past", " “three”."],
  ],
  ["letters of Japanese", "「今日」は、雨。", ["「今", "日」", "は、", "雨。"]],
  ["Latin words within it", "これはAI、です", ["こ", "れ", "は", "AI、", "で", "す"]],
  ["a prolonged vowel with its letter", "コーヒー", ["コー", "ヒー"]],
  ["Thai letters with their vowels and tones", "น้ำใจ ดี", ["น้ำ", "ใ", "จ", " ดี"]],
  [
    "Korean, Arabic and Hindi words",
    "안녕 하세요 مرحبا नमस्ते",
    ["안녕", " 하세요", " مرحبا", " नमस्ते"],
  ],
])("divides %s", (_, text, units) => {
  expect(split(text)).toEqual(units);
});

it("loses nothing but white space at the end, and says where each unit begins", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  const mixed = fc.array(
    fc.oneof(text, fc.constantFrom("今日は", " ไทย", "。", " the", "ー", "กำ")),
  );
  fc.assert(
    fc.property(mixed, (parts) => {
      const whole = parts.join("");
      const units = listUnits(whole);
      expect(units.map((unit) => unit.text).join("")).toBe(whole.trimEnd());
      for (const { text: own, from } of units) expect(whole.startsWith(own, from)).toBe(true);
    }),
    { numRuns: countRuns(400) },
  );
});

it.each(testLanguages)("a text of %s that is cut between words has the same units", (language) => {
  const { text } = joinSentences(readSpokenSentences(language).sentences, language);
  const units = listUnits(text);
  fc.assert(
    fc.property(fc.nat(), (n) => {
      const { from } = units[n % units.length] ?? { from: 0 };
      expect([...split(text.slice(0, from)), ...split(text.slice(from))].join("")).toBe(text);
      expect(listComparable(text.slice(from))).toEqual(
        listComparable(text).slice(-listComparable(text.slice(from)).length),
      );
    }),
    { numRuns: countRuns(40) },
  );
});

test.each([
  ["case and punctuation", "“Don’t,", "don't"],
  ["the width of letters", "Ａｉ", "ai"],
  ["how accents are written", "e\u0301te\u0301", "été"],
  ["Arabic vowel signs", "كِتَابٌ", "كتاب"],
])("two words are the same whatever %s", (_, one, other) => {
  expect(toComparable(one)).toBe(toComparable(other));
});

test("vowels of Hindi and Thai count", () => {
  expect(toComparable("की")).not.toBe(toComparable("का"));
  expect(toComparable("ดี")).not.toBe(toComparable("ดา"));
});
