import { expect, test } from "vitest";
import { readFile } from "#client/features/import/read-file.ts";
import { detectSpokenLanguage } from "#shared/detect-language.ts";
import { joinPieces } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { readSpokenSentences, testLanguages } from "#tests/fixtures/spoken-sentences.ts";

test.each(testLanguages)("six sentences in %s are known as such", (language) => {
  const { sentences } = readSpokenSentences(language);
  for (let from = 0; from + 6 <= sentences.length; from += 6) {
    const text = joinPieces(sentences.slice(from, from + 6), language);
    expect(detectSpokenLanguage(text), text).toBe(language);
  }
});

test("a text without known words is taken as English", () => {
  for (const text of ["", "3.14", "Zut", "α β γ", "Hello.", "No idea para nada, but the rest is"])
    expect(detectSpokenLanguage(text)).toBe("en");
});

const clock = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 19);

/** Subtitles whose cues end within sentences, and within words where there are no spaces. */
function toCues(text: string, language: SpokenLanguage): string {
  const parts =
    language === "ja" || language === "zh"
      ? text.match(/(?:[\w.]+|[^\w.]){6,14}?[、，。]|(?:[\w.]+|[^\w.]){1,15}/gu)
      : text.match(/\S+(?: \S+){0,6}/gu);
  return (parts ?? [])
    .map((part, n) => `${n + 1}\n${clock(2 * n)},000 --> ${clock(2 * n + 1)},900\n${part}\n`)
    .join("\n");
}

test.each(testLanguages)("subtitles in %s become its sentences", async (language) => {
  const { sentences } = readSpokenSentences(language);
  const file = new File([toCues(joinPieces(sentences, language), language)], "lecture.srt");
  const reading = await readFile(file);
  const rows = "file" in reading ? reading.file.single.map(({ original }) => original) : [];
  const right = rows.filter((row) => sentences.includes(row));
  expect(right.length / sentences.length).toBeGreaterThanOrEqual(0.98);
  expect(rows.length / sentences.length).toBeLessThan(1.02);
});
