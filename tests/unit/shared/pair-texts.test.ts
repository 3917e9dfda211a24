import * as fc from "fast-check";
import { expect, test } from "vitest";
import { entryTextMaxLength } from "#shared/limits.ts";
import { pairTexts } from "#shared/pair-texts.ts";
import { noTranslation } from "#shared/words.ts";

test("texts are split at their own stops and paired by position", () => {
  expect(pairTexts("One. Two? Three!", "一。二？")).toEqual([
    { original: "One.", translated: "一。", speaker: null },
    { original: "Two?", translated: "二？", speaker: null },
    { original: "Three!", translated: noTranslation, speaker: null },
  ]);
});

test("an end without a stop is kept, and so is a translation without an original", () => {
  expect(pairTexts("One. two", "")).toEqual([
    { original: "One.", translated: noTranslation, speaker: null },
    { original: "two", translated: noTranslation, speaker: null },
  ]);
  expect(pairTexts("", "一。")).toEqual([{ original: "", translated: "一。", speaker: null }]);
  expect(pairTexts(" ", "")).toEqual([]);
});

test("a text without stops is cut where it is too long for a row", () => {
  const pairs = pairTexts("word ".repeat(9_000), "😀".repeat(30_000));
  expect(
    pairs
      .map(({ original }) => original)
      .join(" ")
      .split(" "),
  ).toHaveLength(9_000);
  const translations = pairs.map(({ translated }) => translated);
  expect(translations.filter((text) => text !== noTranslation).join("")).toBe("😀".repeat(30_000));
  for (const { original, translated } of pairs) {
    expect(Math.max(original.length, translated.length)).toBeLessThanOrEqual(entryTextMaxLength);
  }
});

test("no letter of either text is lost or moved", () => {
  const text = (stops: string) =>
    fc
      .array(fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...stops, " ")))
      .map((parts) => parts.join(""));
  const bare = (value: string) => value.replace(/\s+/gu, "");
  fc.assert(
    fc.property(text(".!?"), text("。！？"), (original, translated) => {
      const pairs = pairTexts(original, translated);
      expect(bare(pairs.map((pair) => pair.original).join(""))).toBe(bare(original));
      const translations = pairs.map((pair) => pair.translated);
      const own = translations.filter((value) => value !== noTranslation);
      expect(bare(own.join(""))).toBe(bare(translated));
      expect(translations.slice(own.length).every((value) => value === noTranslation)).toBe(true);
    }),
  );
});
