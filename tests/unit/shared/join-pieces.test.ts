import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSpaces, findCut, joinPieces } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { readSpokenSentences, testLanguages } from "#tests/fixtures/spoken-sentences.ts";

describe("words", () => {
  test.each<[SpokenLanguage, string[], string]>([
    ["en", ["Light", "bends.", "So", "it", "does."], "Light bends. So it does."],
    ["en", ["the", "word", "熵", "增"], "the word 熵 增"],
    [
      "ja",
      ["今日", "は", "deep", "learning", "の", "第", "3", "回", "です", "。"],
      "今日はdeep learningの第3回です。",
    ],
    ["zh", ["我们", "用", "GPU", "训练", "，", "对", "吗", "？"], "我们用GPU训练，对吗？"],
    ["ko", ["오늘은", "열역학", "강의입니다."], "오늘은 열역학 강의입니다."],
    ["ar", ["ما", "هي", "الطاقة؟"], "ما هي الطاقة؟"],
    ["hi", ["यह", "ऊर्जा", "है।"], "यह ऊर्जा है।"],
  ])("in %s are joined as they are written: %j", (language, words, text) => {
    expect(joinPieces(words, language)).toBe(text);
  });

  test("that begin a message have a space before them, but for Han and kana", () => {
    expect(addSpaces(["light"], "en")).toEqual([" light"]);
    expect(addSpaces(["光", "GPU"], "zh")).toEqual(["光", "GPU"]);
    expect(addSpaces(["GPU"], "ja")).toEqual([" GPU"]);
    expect(addSpaces(["GPU"], "ja", "この")).toEqual(["GPU"]);
  });

  test.each(testLanguages)("of the sentences in %s make the sentences again", (language) => {
    const words = new Intl.Segmenter(language, { granularity: "word" });
    const isSpaced = language !== "ja" && language !== "zh";
    for (const sentence of readSpokenSentences(language).sentences) {
      const pieces = isSpaced
        ? sentence.split(" ")
        : Array.from(words.segment(sentence), ({ segment }) => segment).filter(
            (one) => one !== " ",
          );
      expect(joinPieces(pieces, language)).toBe(sentence);
    }
  });
});

describe("a cut", () => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const cluster = fc.constantFrom(
    "a",
    " ",
    "漢",
    "e\u0301",
    "हिन्दी",
    "क्षि",
    "👩‍🔬",
    "🇩🇪",
    "각",
    "ﷺ",
    "\r\n",
    "𠀀",
  );

  test("is the last one between clusters within the limit", () => {
    fc.assert(
      fc.property(
        fc.array(cluster, { maxLength: 60 }),
        fc.integer({ min: 12, max: 80 }),
        (parts, max) => {
          const text = parts.join("");
          const cut = findCut(text, max);
          const starts = [
            ...Array.from(graphemes.segment(text), ({ index }) => index),
            text.length,
          ];
          expect(cut).toBe(Math.max(...starts.filter((start) => start <= max)));
        },
      ),
      { numRuns: countRuns(400) },
    );
  });

  test("of a cluster that is longer than the limit keeps surrogate pairs", () => {
    expect(findCut(`e${"\u0301".repeat(30)}`, 10)).toBe(10);
    expect(findCut(`👩${"\u200d👩".repeat(20)}`, 10)).toBe(9);
    expect(findCut(`👩${"\u200d👩".repeat(20)}`, 11)).toBe(11);
  });
});
