// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { modelMessages } from "#client/features/recording/model-messages/index.ts";
import TranslationModels from "#client/features/recording/translation-models.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { ModelState } from "#client/models/model-downloads.ts";
import { findTranslationModel, translationModels } from "#client/models/translation-models.ts";
import { modelDownloads } from "#client/state/device-models.ts";
import { devicePairs } from "#client/state/device-pairs.ts";
import { languageChoice } from "#client/state/translators.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { click, show } from "#tests/unit/client/kit/page.tsx";

beforeAll(() => Promise.all([showLanguage("en"), modelMessages.load()]));
beforeEach(() => {
  localStorage.clear();
  for (const name of ["refresh", "download", "remove"] as const)
    vi.spyOn(modelDownloads, name).mockResolvedValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  devicePairs.set([]);
  languageChoice.set(null);
});

const absent: ModelState = { status: "absent", bytes: 0 };
const setStates = (states: Record<string, ModelState> = {}) =>
  modelDownloads.states.set(new Map(translationModels.map(({ id }) => [id, states[id] ?? absent])));
const fromEnglish = (targetLanguage: TranslationLanguage) =>
  ({ sourceLanguage: "en", targetLanguage }) as const;
const open = (target: TranslationLanguage, isUsed = false) =>
  show(<TranslationModels pairs={[fromEnglish(target)]} isUsed={isUsed} />);
const listRows = () => [...document.querySelectorAll("li")].map(({ textContent }) => textContent);

it("offers the model of the language by its size, and downloads nothing by itself", async () => {
  setStates();
  await open("zh-cn");
  expect(listRows()).toEqual([expect.stringContaining("OPUS-MT en-zh · 120 MB")]);
  expect(listRows()[0]).toContain("English to Traditional Chinese. English to Simplified Chinese.");
  expect(modelDownloads.download).not.toHaveBeenCalled();
  await click("Download: OPUS-MT en-zh");
  expect(modelDownloads.download).toHaveBeenCalledExactlyOnceWith(
    findTranslationModel(fromEnglish("zh-cn")),
    undefined,
  );
});

it("says that a language has no model, and lists those that take room", async () => {
  setStates({ "opus-mt-en-de": { status: "stored", bytes: 111_000_000 } });
  await open("ja");
  expect(document.body.textContent).toContain("There is no model for English to Japanese.");
  expect(listRows()).toHaveLength(1);
  await click("Delete: OPUS-MT en-de");
  await click("Delete", "[role=alertdialog] button");
  expect(modelDownloads.remove).toHaveBeenCalledExactlyOnceWith(
    findTranslationModel(fromEnglish("de")),
  );
});

it("lets a stored model be used, which the rows that wait may use at once", async () => {
  setStates();
  await open("de");
  await act(async () => setStates({ "opus-mt-en-de": { status: "stored", bytes: 111_000_000 } }));
  expect(devicePairs.get()).toEqual(["en>de"]);
  await click("Use: OPUS-MT en-de");
  expect(languageChoice.get()).toBe("device");
  await open("de", true);
  expect(listRows()[0]).toContain("in use");
  await act(async () => setStates());
  expect(devicePairs.get()).toEqual([]);
});
