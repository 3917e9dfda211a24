import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasSpaces, numberLanguages, toNumberText } from "#local/soniox/number-words.ts";
import { wordNumberMax } from "#local/soniox/pattern.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";

describe("a numbered word", () => {
  test.each<[SpokenLanguage, string, string]>([
    ["en", "three-hundred-forty-two", "twenty-one."],
    ["de", "drei-vier-zwei", "zwei-eins."],
    ["fr", "trois-quatre-deux", "deux-un."],
    ["ru", "три-четыре-два", "два-один."],
    ["ko", "삼-사-이", "이-일."],
    ["ar", "ثلاثة-أربعة-اثنان", "اثنان-واحد."],
    ["hi", "तीन-चार-दो", "दो-एक।"],
    ["ja", "三四二番", "二一番。"],
    ["zh", "三四二号", "二一号。"],
    ["th", "ที่สามสี่สอง", "ที่สองหนึ่ง"],
    ["nl", "three-hundred-forty-two", "twenty-one."],
  ])("in %s is one word: %s, and %s at the end of a sentence", (language, word, last) => {
    expect(toNumberText(342, language, false)).toBe(word);
    expect(toNumberText(21, language, true)).toBe(last);
  });

  test.each(numberLanguages)("in %s is different for each number", (language) => {
    const all = Array.from({ length: wordNumberMax }, (_, index) =>
      toNumberText(index + 1, language, false),
    );
    expect(new Set(all).size).toBe(wordNumberMax);
  });
});

describe("a transcript is read back", () => {
  const number = fc.integer({ min: 1, max: wordNumberMax });
  test.each(numberLanguages)("in %s, however long its sentences are", (language) => {
    const words = fc.array(fc.record({ number, endsSentence: fc.boolean() }), { maxLength: 20 });
    fc.assert(
      fc.property(words, (spoken) => {
        const texts = spoken.map((one) => toNumberText(one.number, language, one.endsSentence));
        const found = readNumbers(texts.join(hasSpaces(language) ? " " : ""), [language]);
        expect(found).toEqual(spoken.map((one) => ({ number: one.number, language })));
      }),
    );
  });

  test("in several languages, which follow each other with and without a space", () => {
    const text = "eins zwei. 三番四番。five six.";
    expect(readNumbers(text, ["de", "ja", "en"])).toEqual([
      { number: 1, language: "de" },
      { number: 2, language: "de" },
      { number: 3, language: "ja" },
      { number: 4, language: "ja" },
      { number: 5, language: "en" },
      { number: 6, language: "en" },
    ]);
  });

  test("in all languages at once", () => {
    expect(readNumbers("ที่หนึ่งสอง 一二号。واحد-اثنان. एक-दो।")).toEqual(
      ["th", "zh", "ar", "hi"].map((language) => ({ number: 12, language })),
    );
  });

  test.each(["one two tow", "一番二", "[No translation]", "eins zwei"])(
    "and what is no number is found: %s",
    (text) => {
      expect(() => readNumbers(text, ["en", "ja"])).toThrow("No numbered word after");
    },
  );
});
