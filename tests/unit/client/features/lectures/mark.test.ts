import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bestOf,
  finderOf,
  pieces,
} from "../../../../../src/client/features/lectures/search/mark.ts";

/** Hits between brackets. */
const marked = (text: string, query: string) =>
  pieces(text, finderOf(query))
    .map(({ text: part, hit }) => (hit ? `[${part}]` : part))
    .join("");

describe("what is marked", () => {
  test.each([
    [
      "learning",
      "Machines learn, and learners learned.",
      "Machines [learn], and learners [learned].",
    ],
    ["cats", "A cat in a category.", "A [cat] in a category."],
    ["cat", "A cat in a category.", "A [cat] in a [category]."],
    ["entr", "Entropy rises.", "[Entropy] rises."],
    ["en", "Entropy en route.", "Entropy [en] route."],
    ["the entropy", "The entropy of the thermos", "The [entropy] of the thermos"],
    ["the", "The other", "The other"],
    ["熵", "熵总是增加，熵增。", "[熵]总是增加，[熵]增。"],
    ["机器学习", "机器会学习；机器学习。", "机器会学习；[机器学习]。"],
    ["人人", "人人人", "[人人人]"],
    ["RNN模型", "ＲＮＮ的模型", "[ＲＮＮ]的[模型]"],
    ["プリズム", "ﾌﾟﾘｽﾞﾑは", "[ﾌﾟﾘｽﾞﾑ]は"],
    ["한국", "한국어", "[한국]어"],
    ["café", "Cafe\u0301s", "[Cafe\u0301s]"],
    ["3.14", "about 3.14!", "about [3].[14]!"],
    ["don't", "Don't panic", "Don't panic"],
    ["МОСКВА", "в москва!", "в [москва]!"],
    ["", "nothing", "nothing"],
  ])("%s in %s", (query, text, expected) => {
    expect(marked(text, query)).toBe(expected);
  });
});

const letters = fc.constantFrom(..."ab étﬁ，.机器学習ガｶﾞ한ᄒ\u1161\u11ab\u0301'1𠀀\ud840 ");
const texts = fc.oneof(fc.string({ unit: letters, maxLength: 40 }), fc.string({ unit: "binary" }));

test("the pieces are the text, in turns, none empty", () => {
  fc.assert(
    fc.property(texts, texts, (text, query) => {
      const cut = pieces(text, finderOf(query));
      expect(cut.map((piece) => piece.text).join("")).toBe(text);
      for (const [index, piece] of cut.entries()) {
        expect(piece.text).not.toBe("");
        expect(piece.hit).not.toBe(cut[index - 1]?.hit);
      }
    }),
    { numRuns: 500 },
  );
});

test("a CJK word that stands in a text is marked, whatever surrounds it", () => {
  const han = fc.string({ unit: fc.constantFrom(..."机器学习熵光"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(texts, han, texts, (before, word, after) => {
      const hits = pieces(`${before}${word}${after}`, finderOf(word)).filter(({ hit }) => hit);
      expect(hits.some(({ text }) => text.includes(word))).toBe(true);
    }),
  );
});

test("the best text has the most different words, not the most places", () => {
  const find = finderOf("heat entropy");
  expect(bestOf(["Heat, heat, heat.", "Heat makes entropy.", "Entropy of heat."], find)).toBe(1);
  expect(bestOf(["Nothing", ""], find)).toBe(-1);
});
