// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import {
  getNextSize,
  getStoredLanguages,
  getStoredSourceLanguage,
  storeLanguages,
} from "#client/state/preferences.ts";

beforeEach(() => localStorage.clear());

it("keeps English as the source language of a first visit", () => {
  expect(getStoredSourceLanguage()).toBe("en");
  expect(localStorage.getItem("sourceLanguage")).toBe("en");
});

it.each(["", "tlh", "EN", '{"language":"en"}', "en\n"])(
  "replaces %j, which is no source language, with English",
  (value) => {
    localStorage.setItem("sourceLanguage", value);
    expect(getStoredSourceLanguage()).toBe("en");
    expect(localStorage.getItem("sourceLanguage")).toBe("en");
  },
);

it("keeps the languages of the next lecture, each by itself", () => {
  storeLanguages({ sourceLanguage: "ja" });
  storeLanguages({ targetLanguage: "en", isTwoWay: true });
  const languages = { sourceLanguage: "ja", targetLanguage: "en", isTwoWay: true };
  expect(getStoredLanguages()).toEqual(languages);
});

it("offers text sizes up to 48 px, for a projector", () => {
  expect(getNextSize(40, 1)).toBe(48);
  expect(getNextSize(48, 1)).toBeNull();
  expect(getNextSize(15, -1)).toBeNull();
});
