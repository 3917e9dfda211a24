import { describe, expect, test } from "vitest";
import { getTokensPerLetter, isInLanguage } from "#server/ai/answer-language.ts";
import { isCircular, isEcho } from "#server/ai/clean-answer.ts";
import { type TranslationLanguage, translationLanguages } from "#shared/languages.ts";
import { sampleOpening } from "#shared/sample-lecture.ts";

describe("isInLanguage", () => {
  const english = "The cell takes up the glucose, and it is stored as starch in the leaf.";

  test.each(["zh-cn", "zh", "ja", "ko", "ru", "ar", "hi", "th", "te", "el", "he"] as const)(
    "English is not %s",
    (language) => expect(isInLanguage(english, language)).toBe(false),
  );

  test.each(["de", "fr", "es", "it", "pt"] as const)("English is not %s", (language) =>
    expect(isInLanguage(english, language)).toBe(false),
  );

  test.each([
    ["zh-cn", "细胞吸收葡萄糖，并把它储存为淀粉。"],
    ["zh-cn", "我们用 PCR 扩增 DNA，再用 Sanger sequencing 测序。"],
    ["ja", "細胞はブドウ糖を取り込み、デンプンとして蓄えます。"],
    ["ko", "세포는 포도당을 흡수하여 전분으로 저장합니다."],
    ["de", "Die Zelle nimmt die Glukose auf, und sie wird als Stärke im Blatt gespeichert."],
    ["fr", "La cellule absorbe le glucose, qui est stocké sous forme d'amidon dans la feuille."],
    ["nl", "De cel neemt de glucose op en slaat die op als zetmeel in het blad van de plant."],
    ["ru", "Клетка поглощает глюкозу и запасает её в виде крахмала."],
    ["zh-cn", "GPT-4"],
    ["de", "OpenAI, Google und Meta"],
  ] as const)("%s: %s", (language, text) => expect(isInLanguage(text, language)).toBe(true));

  test("Japanese is not Chinese, and Chinese is not English", () => {
    expect(isInLanguage("これは私たちが話したことについてのテキストです。", "zh-cn")).toBe(false);
    expect(isInLanguage("细胞吸收葡萄糖，并把它储存为淀粉。", "en")).toBe(false);
  });

  test("every translation of the sample lecture is in its language, and no other has its script", () => {
    for (const { original, translations } of sampleOpening)
      for (const [language, text] of Object.entries(translations)) {
        expect(isInLanguage(text, language as TranslationLanguage)).toBe(true);
        expect(isEcho(text, original)).toBe(false);
        expect(isCircular(text, original)).toBe(false);
      }
  });
});

test("every language has a number of tokens for a letter", () => {
  for (const language of translationLanguages) {
    const tokens = getTokensPerLetter(language);
    expect(tokens).toBeGreaterThan(0.3);
    expect(tokens).toBeLessThanOrEqual(2);
  }
  expect(getTokensPerLetter("te")).toBe(2);
});
