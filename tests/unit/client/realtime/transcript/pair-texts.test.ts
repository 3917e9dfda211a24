import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pairTexts } from "#client/realtime/transcript/pair-texts.ts";
import { entryTextMaxLength } from "#shared/limits.ts";
import { noTranslation } from "#shared/words.ts";

test("texts are split at their own stops and paired by position", () => {
  expect(pairTexts("One. Two? Three!", "一。二？")).toEqual([
    { english: "One.", translated: "一。", speaker: null },
    { english: "Two?", translated: "二？", speaker: null },
    { english: "Three!", translated: noTranslation, speaker: null },
  ]);
});

test("an end without a stop is kept, and so is a translation without an original", () => {
  expect(pairTexts("One. two", "")).toEqual([
    { english: "One.", translated: noTranslation, speaker: null },
    { english: "two", translated: noTranslation, speaker: null },
  ]);
  expect(pairTexts("", "一。")).toEqual([{ english: "", translated: "一。", speaker: null }]);
  expect(pairTexts(" ", "")).toEqual([]);
});

test("a text without stops is cut where it is too long for a row", () => {
  const pairs = pairTexts("word ".repeat(9_000), "😀".repeat(30_000));
  expect(
    pairs
      .map(({ english }) => english)
      .join(" ")
      .split(" "),
  ).toHaveLength(9_000);
  const translations = pairs.map(({ translated }) => translated);
  expect(translations.filter((text) => text !== noTranslation).join("")).toBe("😀".repeat(30_000));
  for (const { english, translated } of pairs) {
    expect(Math.max(english.length, translated.length)).toBeLessThanOrEqual(entryTextMaxLength);
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
      expect(bare(pairs.map((pair) => pair.english).join(""))).toBe(bare(original));
      const translations = pairs.map((pair) => pair.translated);
      const own = translations.filter((value) => value !== noTranslation);
      expect(bare(own.join(""))).toBe(bare(translated));
      expect(translations.slice(own.length).every((value) => value === noTranslation)).toBe(true);
    }),
  );
});
