import { expect, it } from "vitest";
import { deviceModels } from "#client/models/device-models.ts";
import {
  findTranslationModel,
  listModelPairs,
  translationModels,
} from "#client/models/translation-models.ts";
import { spokenLanguages, translationLanguages } from "#shared/languages.ts";

it("translates from English and into it, and between no other languages", () => {
  const pairs = spokenLanguages.flatMap((sourceLanguage) =>
    translationLanguages.map((targetLanguage) => ({ sourceLanguage, targetLanguage })),
  );
  const known = pairs.filter(findTranslationModel);
  const into = known.filter(({ sourceLanguage }) => sourceLanguage === "en");
  expect(into.map(({ targetLanguage }) => targetLanguage)).toEqual([
    "es",
    "zh",
    "zh-cn",
    "fr",
    "de",
    "ru",
    "hi",
    "ar",
  ]);
  const from = known.filter(({ targetLanguage }) => targetLanguage === "en");
  expect(from.map(({ sourceLanguage }) => sourceLanguage)).toEqual([
    "de",
    "fr",
    "es",
    "it",
    "ru",
    "nl",
    "pl",
  ]);
  expect(known).toHaveLength(into.length + from.length);
  expect(findTranslationModel({ sourceLanguage: "en", targetLanguage: "zh" })).toBe(
    findTranslationModel({ sourceLanguage: "en", targetLanguage: "zh-cn" }),
  );
});

it("lists the pairs of each model by what finds it", () => {
  for (const model of translationModels) {
    expect(listModelPairs(model).length).toBeGreaterThan(0);
    for (const pair of listModelPairs(model)) expect(findTranslationModel(pair)).toBe(model);
  }
});

it("has each model once among those for this device", () => {
  const ids = deviceModels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const model of translationModels) expect(deviceModels).toContain(model);
});
