import { describe, expect, it } from "vitest";
import { estimateTranslation } from "#client/reading/reserve-space.ts";
import { translationLanguages } from "#shared/languages.ts";

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

  it.each(["de", "ar", "zh-cn"] as const)("is enough for usual sentences in %s", (language) => {
    for (const sentence of sentences)
      expect(estimateTranslation(sentence.en, language).length).toBeGreaterThanOrEqual(
        sentence[language].length,
      );
  });

  it("grows with the English in every language, and is empty without it", () => {
    for (const language of translationLanguages) {
      const lengths = [20, 40, 160].map(
        (length) => estimateTranslation("x".repeat(length), language).length,
      );
      expect(lengths).toEqual([...new Set(lengths)].sort((a, b) => a - b));
      expect(lengths[2]).toBeLessThan(160 * 1.5);
      expect(estimateTranslation("", language)).toBe("");
    }
  });
});
