import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, it } from "vitest";
import en from "../../../../src/client/i18n/en.json";
import zh from "../../../../src/client/i18n/zh.json";
import { errorCodes } from "../../../../src/shared/errors.ts";
import { targetLanguages } from "../../../../src/shared/languages.ts";

/** The names of the values that a compiled message takes in. */
function valuesOf(message: string): string[] {
  const parts = compileMessage(message);
  const names =
    typeof parts === "string"
      ? []
      : parts.flatMap((part) => (Array.isArray(part) ? [part[0]] : []));
  return [...new Set(names)].sort();
}

const dictionaries: Record<string, Record<string, string>> = { en, zh };

describe("the dictionaries", () => {
  it("have the same keys", () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it("have no blank text", () => {
    for (const dictionary of Object.values(dictionaries)) {
      expect(Object.entries(dictionary).filter(([, text]) => text.trim() === "")).toEqual([]);
    }
  });

  it("take the same values in each text", () => {
    const chinese = dictionaries.zh ?? {};
    for (const [key, text] of Object.entries(en)) {
      expect([key, valuesOf(chinese[key] ?? "")]).toEqual([key, valuesOf(text)]);
    }
  });

  it("name every error code and every target language", () => {
    const wanted = [
      ...errorCodes.map((code) => `error.${code}`),
      ...targetLanguages.map((language) => `target.${language}`),
    ];
    expect(wanted.filter((key) => !(key in en))).toEqual([]);
  });
});
