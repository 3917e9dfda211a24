import { expect, it } from "vitest";
import { deviceModels } from "#client/realtime/models/device-models.ts";
import {
  findTranslationModel,
  translationModels,
} from "#client/realtime/models/translation-models.ts";
import { translationLanguages } from "#shared/languages.ts";

it("has a model for the most frequent languages but Japanese and Korean", () => {
  const known = translationLanguages.filter((language) => findTranslationModel(language));
  expect(known).toEqual(["es", "zh", "zh-cn", "fr", "de", "ru", "hi", "ar"]);
  expect(findTranslationModel("zh")).toBe(findTranslationModel("zh-cn"));
});

it("has each model once among those for this device", () => {
  const ids = deviceModels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const model of translationModels) expect(deviceModels).toContain(model);
});
