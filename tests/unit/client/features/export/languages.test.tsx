// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi } from "vitest";
import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { toDocx } from "#client/features/export/files/docx.ts";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { toMarkdown, toText } from "#client/features/export/files/text.ts";
import { PrintedLecture } from "#client/features/export/print/printed-lecture.tsx";
import { readFile } from "#client/features/import/read-file.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import { readSpokenSentences, testLanguages } from "#tests/fixtures/spoken-sentences.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { createLecture, fileLabels } from "./sample-lectures.ts";
import { unzip } from "./unzip.ts";

// happy-dom has streams of another kind under these names.
await vi.hoisted(async () => Object.assign(globalThis, await import("node:stream/web")));

beforeAll(() => Promise.all([showLanguage("en"), fileMessages.load()]));

const sentenceOf = (language: TranslationLanguage, index: number): string =>
  readSpokenSentences(toSpokenLanguage(language)).sentences[index] ?? "";

/** A stored lecture of sentences in `spoken`, each translated as `pair` says. */
const createSpoken = (pair: LanguagePair, spoken: readonly SpokenLanguage[]) =>
  toExportedLecture(
    createLecture(
      spoken.map((spokenIn, index) => {
        const translatedInto = getTranslationLanguage(pair, spokenIn);
        return {
          spokenIn,
          translatedInto,
          speaker: "Ann",
          original: sentenceOf(spokenIn, index),
          translated: translatedInto === null ? "" : sentenceOf(translatedInto, index + 20),
          startMs: index * 4_000,
          endMs: index * 4_000 + 3_000,
        };
      }),
      pair,
    ),
    "",
  );

const options = {
  ...({ lecture: "a", sides: "both", layout: "columns" } as const),
  times: true,
  speakers: false,
  summary: false,
  marks: false,
  slides: true,
  terms: true,
};
const read = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].map(({ lang, dir, textContent }) => [
    lang,
    dir,
    textContent,
  ]);

/** How Word calls the language of a run, and in which attribute it expects that. */
const wordLanguages: Record<string, string> = {
  en: 'w:val="en"',
  de: 'w:val="de"',
  fr: 'w:val="fr"',
  es: 'w:val="es"',
  it: 'w:val="it"',
  pt: 'w:val="pt"',
  ru: 'w:val="ru"',
  ja: 'w:eastAsia="ja-JP"',
  zh: 'w:eastAsia="zh-CN"',
  ko: 'w:eastAsia="ko-KR"',
  ar: 'w:bidi="ar-SA"',
  hi: 'w:bidi="hi-IN"',
};
const ownNames: Record<string, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  pt: "Português",
  ru: "Русский",
  ja: "日本語",
  zh: "简体中文",
  ko: "한국어",
  ar: "العربية",
  hi: "हिन्दी",
};

describe.each(testLanguages)("a lecture in %s", (spokenIn) => {
  const targetLanguage = spokenIn === "en" ? "ar" : "en";
  const pair: LanguagePair = { sourceLanguage: spokenIn, targetLanguage, isTwoWay: false };
  const lecture = createSpoken(pair, [spokenIn, spokenIn]);
  const original = sentenceOf(spokenIn, 0);
  const translated = sentenceOf(targetLanguage, 20);
  const isRightToLeft = (language: string) => language === "ar";

  it("is printed with the language and direction of each text, and their names", async () => {
    await show(<PrintedLecture lecture={lecture} options={options} />);
    const tag = spokenIn === "zh" ? "zh-Hans" : spokenIn;
    expect(read("tbody tr:first-child p")).toEqual([
      [tag, isRightToLeft(spokenIn) ? "rtl" : "ltr", original],
      [targetLanguage, isRightToLeft(targetLanguage) ? "rtl" : "ltr", translated],
    ]);
    expect(read("th").map(([, , name]) => name)).toEqual([
      ownNames[spokenIn],
      ownNames[targetLanguage],
    ]);
  });

  it("is a text, and subtitles, in which each line has its direction", () => {
    const lines = toSrt(lecture, "both")
      .split("\n")
      .filter((line) => line !== "" && !/^\d+$|-->/.test(line));
    const shown = (line: string) => line.replace(/[\u200b\u202b\u202c]/g, "");
    const languages = { [`Ann: ${original}`]: spokenIn, [translated]: targetLanguage };
    for (const [text, language] of Object.entries(languages)) {
      const own = lines.filter((line) => text.includes(shown(line)));
      expect(own.map(shown).join("").startsWith(text)).toBe(true);
      for (const line of own)
        expect([line.startsWith("\u202b"), line.endsWith("\u202c")]).toEqual(
          Array(2).fill(isRightToLeft(language)),
        );
    }
    expect(toVtt(lecture, "both", "")).toContain(
      `<v Ann>${original.split(" ", 1)[0]?.slice(0, 4)}`,
    );
    // The speaker's name would make it a line from left to right.
    const start = isRightToLeft(spokenIn) ? "\u200f" : "";
    expect(toText(lecture, "both", fileLabels)).toContain(
      `${start}Ann: ${original}\n${translated}`,
    );
    expect(toMarkdown(lecture, "original", fileLabels)).toContain(`\n\n${start}**Ann:** `);
    expect(toText(lecture, "original", fileLabels)).not.toContain(translated);
    expect(toText(lecture, "translation", fileLabels)).not.toContain(original);
  });

  it("is a document whose paragraphs and runs have its language and direction", async () => {
    const files = await unzip(await toDocx(lecture, "both", fileLabels));
    const paragraphs =
      files
        .get("word/document.xml")
        ?.toString()
        .match(/<w:p>.*?<\/w:p>/gs) ?? [];
    const find = (text: string) =>
      paragraphs.find((xml) =>
        xml.replaceAll("&quot;", '"').replaceAll("&apos;", "'").includes(text),
      ) ?? "";
    for (const [text, language] of [
      [original, spokenIn],
      [translated, targetLanguage],
    ] as const) {
      expect(find(text)).toContain(wordLanguages[language]);
      expect(find(text).includes("<w:bidi/>")).toBe(isRightToLeft(language));
      expect(find(text).includes("<w:rtl/>")).toBe(isRightToLeft(language));
    }
  });

  it("is read again from its subtitles, each text as it was", async () => {
    for (const [name, text] of [
      ["a.srt", toSrt(lecture, "original")],
      ["a.vtt", toVtt(lecture, "original", "")],
    ] as const) {
      const reading = await readFile(new File([text], name));
      if (!("file" in reading)) throw new Error(JSON.stringify(reading));
      expect(reading.file.single.map((row) => row.original).join(" ")).toContain(original);
      expect(reading.file.single[0]?.speaker).toBe("Ann");
    }
  });
});

describe("a two-way lecture in German and Arabic", () => {
  const pair: LanguagePair = { sourceLanguage: "de", targetLanguage: "ar", isTwoWay: true };
  const lecture = createSpoken(pair, ["de", "ar"]);
  const [german, arabic] = [sentenceOf("de", 0), sentenceOf("ar", 1)];
  const [intoArabic, intoGerman] = [sentenceOf("ar", 20), sentenceOf("de", 21)];

  it("is printed with each language in its column, and below each other the original first", async () => {
    await show(<PrintedLecture lecture={lecture} options={options} />);
    expect(read("th span")).toEqual([
      ["de", "ltr", "Deutsch"],
      ["ar", "rtl", "العربية"],
    ]);
    expect(read("tbody p").map(([lang, , text]) => [lang, text])).toEqual([
      ["de", german],
      ["ar", intoArabic],
      ["de", intoGerman],
      ["ar", arabic],
    ]);
    await show(<PrintedLecture lecture={lecture} options={{ ...options, layout: "stacked" }} />);
    expect(read("tbody p").map(([lang]) => lang)).toEqual(["de", "ar", "ar", "de"]);
  });

  it("is exported in one of its languages, or in both with the original first", () => {
    const lines = (sides: "original" | "translation" | "both") =>
      toText(lecture, sides, fileLabels)
        .replaceAll(/[\u200e\u200f]/g, "")
        .split("\n")
        .filter((line) => line !== "")
        .slice(2);
    expect(lines("original")).toEqual([`Ann: ${german}`, intoGerman]);
    expect(lines("translation")).toEqual([`Ann: ${intoArabic}`, arabic]);
    expect(lines("both")).toEqual([`Ann: ${german}`, intoArabic, arabic, intoGerman]);
  });
});

it("calls the column of several languages the original, and expects no translation of its own language", async () => {
  const pair: LanguagePair = { sourceLanguage: "detect", targetLanguage: "en", isTwoWay: false };
  const lecture = createSpoken(pair, ["ja", "en"]);
  expect(lecture.languages).toEqual({ original: null, translation: "en" });
  await show(<PrintedLecture lecture={lecture} options={options} />);
  expect(read("th").map(([, , name]) => name)).toEqual(["Original", "English"]);
});
