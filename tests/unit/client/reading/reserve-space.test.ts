import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getHiddenHeight } from "#client/reading/live-space.ts";
import {
  estimateTranslation,
  fillLiveSpace,
  getLiveSpaces,
} from "#client/reading/reserve-space.ts";
import { getLineCount } from "#client/reading/reserved-lines.ts";
import {
  spokenLanguages,
  type TranslationLanguage,
  toSpokenLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

describe("the space for a translation", () => {
  // Translations by people, from the sample lecture's subject.
  const sentences = [
    {
      en: "Heat flows from the hot body to the cold one, and never by itself the other way round.",
      de: "Wärme fließt vom heißen zum kalten Körper und niemals von selbst in die andere Richtung.",
      ar: "تنتقل الحرارة من الجسم الساخن إلى الجسم البارد، ولا تنتقل أبدًا من تلقاء نفسها في الاتجاه المعاكس.",
      "zh-cn": "热量从高温物体流向低温物体，绝不会自发地反向流动。",
    },
    {
      en: "Let's begin.",
      de: "Fangen wir an.",
      ar: "لنبدأ.",
      "zh-cn": "我们开始吧。",
    },
  ] as const;

  const languages = ["en", "de", "ar", "zh-cn"] as const;
  const pairs = languages.flatMap((from) => languages.map((into) => [from, into] as const));

  it.each(pairs)("is enough for usual sentences from %s into %s", (from, into) => {
    for (const sentence of sentences) {
      const spokenIn = toSpokenLanguage(from);
      const space = estimateTranslation(sentence[from], spokenIn, into);
      // The Arabic of the first has vowel signs, which are seldom written.
      expect(space.length).toBeGreaterThanOrEqual(sentence[into].length * 0.93);
      expect(space.length).toBeLessThan(sentence[into].length * 2 + 20);
    }
  });

  it("grows with the original in every pair, is empty without it, and in the target's script", () => {
    for (const spokenIn of spokenLanguages)
      for (const language of translationLanguages) {
        const lengths = [20, 40, 160].map(
          (length) => estimateTranslation("x".repeat(length), spokenIn, language).length,
        );
        expect(lengths).toEqual([...new Set(lengths)].sort((a, b) => a - b));
        expect(estimateTranslation("", spokenIn, language)).toBe("");
      }
    const letters = (language: TranslationLanguage) =>
      estimateTranslation("x".repeat(9), "en", language);
    expect(letters("uk")).toMatch(/\p{Script=Cyrillic}/u);
    expect(letters("fa")).toMatch(/\p{Script=Arabic}/u);
    expect(letters("mr")).toMatch(/\p{Script=Devanagari}/u);
    expect(letters("th")).toMatch(/\p{Script=Thai}/u);
    expect(letters("zh")).not.toBe(letters("zh-cn"));
  });
});

describe("the space of the live line", () => {
  it("has two heights in every language, the second enough for a sentence of 160 characters", () => {
    for (const language of translationLanguages) {
      for (const text of ["original", "translation"] as const) {
        const [first, longer] = getLiveSpaces(text, language);
        expect(longer.length).toBeGreaterThan(first.length * 1.5);
      }
      const needed = estimateTranslation("x".repeat(160), "en", language).length;
      expect(getLiveSpaces("translation", language)[1].length).toBeGreaterThanOrEqual(needed);
    }
    expect(getLiveSpaces("original", "en").map((space) => space.length)).toEqual([80, 160]);
    // As much as English says in 80 letters.
    expect(getLiveSpaces("original", "zh-cn")[0]).toHaveLength(28);
  });

  it("never shrinks while a sentence grows, and grows once up to 160 characters", () => {
    const spaces = Array.from({ length: 161 }, (_, length) =>
      fillLiveSpace("y".repeat(length), "en"),
    );
    const lengths = spaces.map(({ length }) => length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(2);
    for (const [length, space] of spaces.entries())
      expect(space.length).toBeGreaterThanOrEqual(length);
  });

  it("hides whole lines of a text that needs more, and nothing for a rounded height", () => {
    expect(getHiddenHeight(87, 87.5)).toBe(0);
    expect(getHiddenHeight(88, 87)).toBe(0);
    expect(getHiddenHeight(116, 87)).toBe(29);
  });
});

it("shows as many lines as fit wholly, and one at least", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 15, max: 90, noNaN: true }),
      fc.nat({ max: 40 }),
      (line, lines) => {
        const fitting = Math.max(1, lines);
        expect(getLineCount(lines * line, line)).toBe(fitting);
        expect(getLineCount(lines * line + line * 0.9, line)).toBe(fitting);
      },
    ),
    { numRuns: countRuns(200) },
  );
});
