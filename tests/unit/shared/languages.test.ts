import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  getLanguageName,
  getTextLanguage,
  getTranslationLanguage,
  isSameLanguage,
  isSecondLanguage,
  type LanguagePair,
  sourceLanguages,
  spokenLanguages,
  targetLanguages,
} from "#shared/languages.ts";
import { listSummaryLanguages, listTranslationPairs } from "#shared/translation-pairs.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const languagePair = fc.record({
  sourceLanguage: fc.constantFrom(...sourceLanguages),
  targetLanguage: fc.constantFrom(...targetLanguages),
  isTwoWay: fc.boolean(),
});
const german: LanguagePair = { sourceLanguage: "de", targetLanguage: "en", isTwoWay: true };

it("names the languages that most lectures have as the browser does", () => {
  const tags = ["en", "zh-Hans", "zh-Hant", "de"];
  for (const tag of tags)
    for (const inLanguage of ["en", "zh", tag])
      expect(getLanguageName(tag, inLanguage)).toBe(
        new Intl.DisplayNames([inLanguage], { type: "language" })
          .of(tag)
          ?.replace(/^./u, (first) => first.toLocaleUpperCase(inLanguage)),
      );
});

describe("what a sentence is translated into", () => {
  it("is one language that is not its own, or none", () => {
    fc.assert(
      fc.property(languagePair, fc.constantFrom(...spokenLanguages), (pair, spokenIn) => {
        const into = getTranslationLanguage(pair, spokenIn);
        if (pair.targetLanguage === "none") expect(into).toBeNull();
        if (into === null) return;
        expect(into).not.toBe(spokenIn === "zh" ? "zh-cn" : spokenIn);
        const languages = [pair.targetLanguage, ...(pair.isTwoWay ? [pair.sourceLanguage] : [])];
        expect(languages.map((language) => (language === "zh" ? "zh-cn" : language))).toContain(
          into === "zh" ? "zh-cn" : into,
        );
        // Nothing that is translated needs no translation.
        expect(isSameLanguage(spokenIn, into)).toBe(false);
      }),
      { numRuns: countRuns(2_000) },
    );
  });

  it("is the other one where two are spoken, and the second for any other language", () => {
    expect(getTranslationLanguage(german, "de")).toBe("en");
    expect(getTranslationLanguage(german, "en")).toBe("de");
    expect(getTranslationLanguage(german, "fr")).toBe("en");
    expect(isSecondLanguage(german, "en")).toBe(true);
    expect(isSecondLanguage(german, "de")).toBe(false);
  });

  it("is the other one for Chinese in either script, whose spoken language is one", () => {
    for (const targetLanguage of ["zh", "zh-cn"] as const) {
      const pair = { sourceLanguage: "en", targetLanguage, isTwoWay: true } as const;
      expect(getTranslationLanguage(pair, "zh")).toBe("en");
      expect(getTranslationLanguage(pair, "en")).toBe(targetLanguage);
      expect(isSecondLanguage(pair, "zh")).toBe(true);
    }
    const chinese = { ...german, sourceLanguage: "zh" } as const;
    expect(getTranslationLanguage(chinese, "en")).toBe("zh-cn");
    const oneWay = { sourceLanguage: "zh", targetLanguage: "zh", isTwoWay: false } as const;
    expect(getTranslationLanguage(oneWay, "zh")).toBe("zh");
  });

  it("is none where both languages are the same", () => {
    const pair = { ...german, targetLanguage: "de" } as const;
    expect(getTranslationLanguage(pair, "de")).toBeNull();
    expect(isSecondLanguage(pair, "de")).toBe(false);
  });
});

it("is known before anything is spoken, unless the language is detected", () => {
  expect(listTranslationPairs(german)).toEqual([
    { sourceLanguage: "de", targetLanguage: "en" },
    { sourceLanguage: "en", targetLanguage: "de" },
  ]);
  expect(listTranslationPairs({ ...german, isTwoWay: false })).toHaveLength(1);
  expect(listTranslationPairs({ ...german, targetLanguage: "none" })).toEqual([]);
  expect(listTranslationPairs({ ...german, targetLanguage: "de" })).toEqual([]);
  expect(listTranslationPairs({ ...german, sourceLanguage: "detect", isTwoWay: false })).toEqual(
    [],
  );
});

it("is summarised in the target, in both languages of two, and untranslated as it was spoken", () => {
  const oneWay = { ...german, isTwoWay: false };
  expect(listSummaryLanguages(oneWay, "de")).toEqual(["en"]);
  expect(listSummaryLanguages(german, "de")).toEqual(["de", "en"]);
  expect(listSummaryLanguages({ ...german, targetLanguage: "none" }, "zh")).toEqual(["zh-cn"]);
  expect(listSummaryLanguages({ ...oneWay, sourceLanguage: "detect" }, "ja")).toEqual(["en"]);
});

it("is text with its direction, which a browser that translates the page leaves as it is", () => {
  expect(getTextLanguage("ar")).toEqual({ lang: "ar", dir: "rtl", translate: "no" });
  expect(getTextLanguage("zh-Hans")).toEqual({ lang: "zh-Hans", dir: "ltr", translate: "no" });
});
