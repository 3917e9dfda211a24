// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import {
  getReaderLanguage,
  storeReaderLanguage,
  toReadingLanguage,
} from "#client/features/live/device-language.ts";
import type { SourceLanguage, TargetLanguage } from "#shared/languages.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  document.documentElement.className = "";
});

it.each([
  [["zh-CN", "en"], "zh-cn"],
  [["zh"], "zh-cn"],
  [["zh-Hans-HK"], "zh-cn"],
  [["zh-TW"], "zh"],
  [["zh-Hant-CN"], "zh"],
  [["pt-BR", "es-419", "en"], "pt"],
  [["ga", "es-419", "en"], "es"],
  [["en-GB", "ja"], "none"],
  [["ga", "mt"], "none"],
  [["nb-NO"], "no"],
  [["fil", "en"], "tl"],
  [[], "none"],
] as const)("reads in the first language of %o that there is: %s", (tags, language) => {
  expect(toReadingLanguage(tags, pairOf("en"))).toBe(language);
});

function pairOf(sourceLanguage: SourceLanguage, targetLanguage: TargetLanguage = "none") {
  return { sourceLanguage, targetLanguage, isTwoWay: targetLanguage !== "none" };
}

it.each([
  [["de-AT", "en"], pairOf("de"), "none"],
  [["en", "de"], pairOf("de"), "en"],
  [["zh-CN"], pairOf("zh"), "none"],
  [["zh-TW"], pairOf("zh"), "zh"],
  [["en"], pairOf("detect"), "en"],
  [[], pairOf("detect"), "none"],
  // In its language all of a two-way lecture is read.
  [["de"], pairOf("de", "en"), "de"],
  [["en"], pairOf("de", "en"), "en"],
  [[], pairOf("de", "en"), "none"],
  [["fr"], pairOf("de", "en"), "fr"],
] as const)("on a device in %o, a lecture in %o is read in %s", (tags, pair, language) => {
  expect(toReadingLanguage(tags, pair)).toBe(language);
});

it("keeps the reader's choice on the device", () => {
  vi.stubGlobal("navigator", { languages: ["ja"] });
  expect(getReaderLanguage()).toBe("ja");
  storeReaderLanguage("fr");
  expect(getReaderLanguage()).toBe("fr");
  localStorage.setItem("readerLanguage", "xx");
  expect(getReaderLanguage()).toBe("ja");
});

it.each([
  ["/live/secret", "fr", null, null, "en", true],
  ["/live/secret", "zh-TW", null, null, "zh-Hans", true],
  ["/live/secret", "fr", "zh", "light", "zh-Hans", false],
  ["/auth", "fr", null, null, "zh-Hans", false],
])(
  "before the first paint, %s on a dark device in %s that has chosen %s and %s is in %s, dark: %s",
  (pathname, language, chosen, theme, lang, isDark) => {
    vi.stubGlobal("location", { pathname });
    vi.stubGlobal("navigator", { language });
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    if (chosen) localStorage.setItem("interfaceLanguage", chosen);
    if (theme) localStorage.setItem("theme", theme);
    new Function(readFileSync("public/start.js", "utf8"))();
    expect(document.documentElement.lang).toBe(lang);
    expect(document.documentElement.classList.contains("dark")).toBe(isDark);
  },
);
