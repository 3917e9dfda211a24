import { compileMessage } from "@lingui/message-utils/compileMessage";
import { describe, expect, it } from "vitest";
import en from "../../../../src/client/i18n/en.json";
import zh from "../../../../src/client/i18n/zh.json";
import mockEn from "../../../../src/client/mock/i18n/en.json";
import mockZh from "../../../../src/client/mock/i18n/zh.json";
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

type Texts = Record<string, string>;
const pairs: [name: string, en: Texts, zh: Texts][] = [
  ["the product", en, zh],
  ["the mock-up", mockEn, mockZh],
];

describe.each(pairs)("the dictionaries of %s", (_name, english, chinese) => {
  it("have the same keys", () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  it("have no blank text", () => {
    for (const dictionary of [english, chinese]) {
      expect(Object.entries(dictionary).filter(([, text]) => text.trim() === "")).toEqual([]);
    }
  });

  it("take the same values in each text", () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, valuesOf(chinese[key] ?? "")]).toEqual([key, valuesOf(text)]);
    }
  });
});

it("the product's dictionaries name every error code and every target language", () => {
  const wanted = [
    ...errorCodes.map((code) => `error.${code}`),
    ...targetLanguages.map((language) => `target.${language}`),
  ];
  expect(wanted.filter((key) => !(key in en))).toEqual([]);
});
