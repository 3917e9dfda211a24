import { globSync, readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, it } from "vitest";
import { createMessages } from "#client/i18n/bundle.ts";
import { errorCodes } from "#shared/errors.ts";

/** The names of the values that a message takes in. */
function listValueNames(message: string): string[] {
  const parts = compileMessage(message);
  const names =
    typeof parts === "string"
      ? []
      : parts.flatMap((part) => (Array.isArray(part) ? [part[0]] : []));
  return [...new Set(names)].sort();
}

type Texts = Record<string, string>;
const read = (file: string): Texts => JSON.parse(readFileSync(file, "utf8"));
const files = globSync("src/client/**/en.json").map((file) => ({
  file,
  en: read(file),
  zh: read(file.replace(/en\.json$/, "zh.json")),
}));

it.each(files)("$file and its translation have the same keys in the same order", ({ en, zh }) => {
  expect(Object.keys(zh)).toEqual(Object.keys(en));
});

it.each(files)("$file and its translation take the same values, and no text is blank", (file) => {
  for (const [key, text] of Object.entries(file.en)) {
    expect([key, listValueNames(file.zh[key] ?? "")]).toEqual([key, listValueNames(text)]);
    expect([key, text.trim(), file.zh[key]?.trim()]).not.toContain("");
  }
});

it("uses one term for one thing", () => {
  const terms = {
    en: /e-mail|recognis/i,
    zh: /您|文字记录|课堂记录|此页面|此浏览器|此设备|本设备/,
  };
  for (const { en, zh } of files) {
    expect(Object.values(en).filter((text) => terms.en.test(text))).toEqual([]);
    expect(Object.values(zh).filter((text) => terms.zh.test(text))).toEqual([]);
  }
});

/** What the specification writes with three dots. */
const specifiedDots = [
  "Deleting...",
  "Loading...",
  "Recording...",
  "Saving lecture...",
  "Search lectures and folders...",
  "Type lecture name...",
];

it("writes an ellipsis as one character, except where three dots are specified", () => {
  for (const { en, zh } of files) {
    const texts = [...Object.values(en), ...Object.values(zh)];
    const dotted = texts.filter((text) => text.includes("..."));
    expect(dotted.filter((text) => !specifiedDots.includes(text))).toEqual([]);
  }
});

it("writes Chinese with full-width punctuation and no space after it", () => {
  const rules = {
    spaceAfter: /[，。：；！？、）》”]\s/,
    spaceBefore: /\s[，。：；！？、）》”]/,
    halfWidth: /\p{Script=Han}[:;!?()]|[:;!?()]\p{Script=Han}/u,
    comma: /\p{Script=Han},|,\p{Script=Han}/u,
    quotes: /"|'|「|」/,
  };
  for (const { zh } of files)
    for (const [rule, pattern] of Object.entries(rules)) {
      const broken = Object.values(zh).filter((text) => pattern.test(text));
      expect({ rule, broken }).toEqual({ rule, broken: [] });
    }
});

it("is in its own language, but for the examples of a translated lecture", () => {
  const isExample = (key: string) =>
    /^(brand\.both|auth\.(headlineTranslated|example\.))/.test(key);
  const chinese = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
  const hasWords = (text: string) =>
    /[a-z]{2}/i.test(text.replace(/\{\w+\}|Markdown|Word|PDF/g, ""));
  for (const { en, zh } of files) {
    const [original, translated] = [en, zh].map((texts) =>
      Object.entries(texts).filter(([key]) => !isExample(key)),
    );
    expect(original?.filter(([, text]) => chinese.test(text))).toEqual([]);
    expect(translated?.filter(([, text]) => hasWords(text) && !chinese.test(text))).toEqual([]);
  }
});

it("has each key in only one file: bundles share the loaded messages", () => {
  const keys = files.flatMap(({ en }) => Object.keys(en));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

it("every error code has a message on every page", () => {
  const common = read("src/client/i18n/en.json");
  const wanted = [...errorCodes.map((code) => `error.${code}`)];
  expect(wanted.filter((key) => !(key in common))).toEqual([]);
});

it("a key that one language lacks, or that a bundle does not have, does not compile", () => {
  const source =
    <T>(texts: T) =>
    () =>
      Promise.resolve({ default: texts });
  createMessages({
    en: source({ "sample.one": "One", "sample.two": "Two" }),
    // @ts-expect-error: the second key is missing.
    zh: source({ "sample.one": "一" }),
  });
  const { t } = createMessages({
    en: source({ "sample.one": "One" }),
    zh: source({ "sample.one": "一" }),
  });
  // @ts-expect-error: the bundle has no such key.
  expect(() => t("sample.two")).not.toThrow();
});
