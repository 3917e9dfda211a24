// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { formatShownText } from "#client/reading/format-text.ts";
import { readingMessages } from "#client/reading/messages/index.ts";
import {
  type ReadingMode,
  setReadingMode,
  setTranslationFirst,
} from "#client/state/preferences.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import { readSpokenSentences, testLanguages } from "#tests/fixtures/spoken-sentences.ts";
import { press, settle, show } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";

beforeAll(() => Promise.all([showLanguage("en"), readingMessages.load()]));
afterEach(async () => {
  await act(async () => setReadingMode("both"));
  await act(async () => setTranslationFirst(false));
});

const sentenceOf = (language: TranslationLanguage, index: number): string =>
  readSpokenSentences(toSpokenLanguage(language)).sentences[index] ?? "";

/** A recording of sentences in `spoken`, each translated as `pair` says. */
async function showLecture(pair: LanguagePair, spoken: readonly SpokenLanguage[]) {
  const { session, transcript } = recordingWith(0);
  session.view.set({ ...session.view.get(), ...pair });
  transcript.append(
    spoken.map((spokenIn, position) => {
      const translatedInto = getTranslationLanguage(pair, spokenIn);
      return createRow({
        position,
        spokenIn,
        translatedInto,
        speaker: null,
        original: sentenceOf(spokenIn, position),
        translated: translatedInto === null ? "" : sentenceOf(translatedInto, position + 20),
        translation: translatedInto === null ? "none" : "done",
        startMs: position * 4_000,
        endMs: position * 4_000 + 3_000,
      });
    }),
  );
  await show(<Surface lecture={session} />);
  await waitForRows();
  reportFirstPage();
  await settle(() => expect(document.querySelector("[data-announcements]")).not.toBeNull());
  return { session, transcript };
}

interface Text {
  lang: string;
  dir: string;
  text: string | null;
}
const toText = (element: HTMLElement): Text => ({
  lang: element.lang,
  dir: element.dir,
  text: element.textContent,
});
const read = (root: ParentNode | null, selector = "p[lang]") =>
  [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])].map(toText);
const choose = (mode: ReadingMode) => act(async () => setReadingMode(mode));
const announced = () => [...document.querySelectorAll<HTMLElement>("[data-announcements] p")];
const head = () => document.querySelector("[data-page-head]");

/** Written down here, because the page finds them by rules. */
const names: Record<string, { own: string; english: string; dir: "ltr" | "rtl" }> = {
  en: { own: "English", english: "English", dir: "ltr" },
  de: { own: "Deutsch", english: "German", dir: "ltr" },
  fr: { own: "Français", english: "French", dir: "ltr" },
  es: { own: "Español", english: "Spanish", dir: "ltr" },
  it: { own: "Italiano", english: "Italian", dir: "ltr" },
  pt: { own: "Português", english: "Portuguese", dir: "ltr" },
  ru: { own: "Русский", english: "Russian", dir: "ltr" },
  ja: { own: "日本語", english: "Japanese", dir: "ltr" },
  zh: { own: "中文", english: "Chinese", dir: "ltr" },
  ko: { own: "한국어", english: "Korean", dir: "ltr" },
  ar: { own: "العربية", english: "Arabic", dir: "rtl" },
  hi: { own: "हिन्दी", english: "Hindi", dir: "ltr" },
};

describe.each(testLanguages)("a lecture in %s", (spokenIn) => {
  const targetLanguage = spokenIn === "en" ? "ar" : "en";
  const pair: LanguagePair = { sourceLanguage: spokenIn, targetLanguage, isTwoWay: false };
  const source = { lang: spokenIn, dir: names[spokenIn]?.dir };
  const target = { lang: targetLanguage, dir: names[targetLanguage]?.dir };

  it("has each row, its correction and the live line in the right language and direction", async () => {
    const { transcript } = await showLecture(pair, [spokenIn, spokenIn]);
    expect(read(findRow(1))).toEqual([
      { ...source, text: sentenceOf(spokenIn, 1) },
      { ...target, text: sentenceOf(targetLanguage, 21) },
    ]);
    const line = { spokenIn, finalText: sentenceOf(spokenIn, 2), interimText: " …", preview: "—" };
    await act(async () => transcript.setLive(createLine(line)));
    const live = document.querySelector("[data-live-line]");
    const [original, preview] = read(live);
    expect(original).toEqual({ ...source, text: `${line.finalText} …` });
    expect(preview).toEqual({ ...target, text: "—" });
    findRow(1)?.focus();
    await press("Enter");
    const fields = [...document.querySelectorAll("textarea")];
    expect(fields.map(({ lang, dir, value }) => ({ lang, dir, text: value }))).toEqual([
      { ...source, text: sentenceOf(spokenIn, 1) },
      { ...target, text: sentenceOf(targetLanguage, 21) },
    ]);
    expect(fields[0]?.getAttribute("aria-label")).toBe(names[spokenIn]?.english);
  });

  it("names its languages, announces its sentences in them, and swaps them", async () => {
    const { session, transcript } = await showLecture(pair, [spokenIn, spokenIn]);
    const pairName = `${names[spokenIn]?.english} → ${names[targetLanguage]?.english}`;
    expect(document.querySelector("section")?.getAttribute("aria-label")).toBe(
      `Transcript: ${pairName}`,
    );
    expect(head()?.textContent).toContain(pairName);
    expect(head()?.textContent).toContain(`Transcript${names[spokenIn]?.own}`);
    expect(head()?.textContent).toContain(`Translation${names[targetLanguage]?.own}`);
    await act(async () => {
      session.view.set({ ...session.view.get(), status: "recording" });
      transcript.append([
        createRow({ spokenIn, original: sentenceOf(spokenIn, 3), startMs: 9_000 }),
      ]);
    });
    expect(announced().map(({ lang, textContent }) => [lang, textContent])).toEqual([
      [spokenIn, sentenceOf(spokenIn, 3)],
    ]);
    await choose("translation");
    findRow(1)?.focus();
    await press(" ");
    expect(read(findRow(1))).toEqual([{ ...source, text: sentenceOf(spokenIn, 1) }]);
  });
});

describe("a two-way lecture in German and English", () => {
  const pair: LanguagePair = { sourceLanguage: "de", targetLanguage: "en", isTwoWay: true };
  const german = (position: number) => sentenceOf("de", position);
  const english = (position: number) => sentenceOf("en", position);
  const columns = (position: number) =>
    [...(findRow(position)?.querySelectorAll<HTMLElement>("p[lang]") ?? [])].map(
      (text) => [text.lang, /col-start-(\d)/.exec(text.className)?.[1] ?? null] as const,
    );
  const open = () => showLecture(pair, ["de", "en"]);

  it("has each sentence in its own column, below each other the original first", async () => {
    await open();
    expect(read(findRow(0)).map(({ text }) => text)).toEqual([german(0), english(20)]);
    expect(columns(0)).toEqual([
      ["de", null],
      ["en", null],
    ]);
    expect(read(findRow(1)).map(({ text }) => text)).toEqual([english(1), german(21)]);
    expect(columns(1)).toEqual([
      ["en", "3"],
      ["de", "2"],
    ]);
    expect(head()?.textContent).toContain("German ⇄ English");
    expect(head()?.textContent).toContain("TranscriptDeutsch");
  });

  it("shows all of one language, which is also what is copied, and swaps a row", async () => {
    const { session } = await open();
    await choose("translation");
    expect([read(findRow(0)), read(findRow(1))].flat().map(({ text }) => text)).toEqual([
      english(20),
      english(1),
    ]);
    expect(formatShownText(session)).toBe(`${english(20)}\n${english(1)}`);
    await choose("original");
    expect(formatShownText(session)).toBe(`${german(0)}\n${german(21)}`);
    await act(async () => findRow(1)?.click());
    expect(read(findRow(1))).toEqual([{ lang: "en", dir: "ltr", text: english(1) }]);
  });

  it("has the sentence being spoken, and its translation, in their columns", async () => {
    const { transcript } = await open();
    const line = { spokenIn: "en", finalText: "Good morning", preview: "Guten" } as const;
    await act(async () => transcript.setLive(createLine(line)));
    const cells = () =>
      [...document.querySelectorAll<HTMLElement>("[data-live-line] p[lang]")].map((cell) => [
        cell.lang,
        /col-start-(\d)/.exec(cell.className)?.[1],
      ]);
    expect(cells()).toEqual([
      ["en", "3"],
      ["de", "2"],
    ]);
    await act(async () => transcript.setLive(createLine({ ...line, spokenIn: "de" })));
    expect(cells()).toEqual([
      ["de", undefined],
      ["en", undefined],
    ]);
  });

  it("announces a sentence as it was said; where one language is shown, in that", async () => {
    const { session, transcript } = await open();
    await act(async () => session.view.set({ ...session.view.get(), status: "recording" }));
    const say = (spokenIn: SpokenLanguage, startMs: number) =>
      act(async () =>
        transcript.append([
          createRow({
            spokenIn,
            original: `said in ${spokenIn}`,
            startMs,
            endMs: startMs + 900,
            translated: "translated",
            translatedInto: spokenIn === "de" ? "en" : "de",
          }),
        ]),
      );
    const last = () => announced().at(-1);
    await say("en", 20_000);
    expect([last()?.lang, last()?.textContent]).toEqual(["en", "said in en"]);
    await choose("original");
    await say("en", 30_000);
    expect([last()?.lang, last()?.textContent]).toEqual(["de", "translated"]);
    await say("de", 40_000);
    expect([last()?.lang, last()?.textContent]).toEqual(["de", "said in de"]);
  });
});

it("calls the column of several languages the original", async () => {
  const pair: LanguagePair = { sourceLanguage: "de", targetLanguage: "en", isTwoWay: false };
  await showLecture(pair, ["ja", "de"]);
  expect(head()?.textContent).toContain("Original → English");
  expect(read(findRow(0))[0]).toMatchObject({ lang: "ja", text: sentenceOf("ja", 0) });
});

it("shows what was said in the language of the translation once, in its language", async () => {
  const pair: LanguagePair = { sourceLanguage: "detect", targetLanguage: "en", isTwoWay: false };
  await showLecture(pair, ["fr", "en"]);
  expect(read(findRow(1))).toEqual([{ lang: "en", dir: "ltr", text: sentenceOf("en", 1) }]);
  await choose("translation");
  expect(read(findRow(1))).toEqual([{ lang: "en", dir: "ltr", text: sentenceOf("en", 1) }]);
});
