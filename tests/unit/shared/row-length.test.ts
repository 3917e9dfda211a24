import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import {
  addTokens,
  createPending,
  endSentence,
  type Sentence,
  sentenceMaxLength,
} from "#shared/segmentation.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { joinSentences, readSpokenSentences } from "#tests/fixtures/spoken-sentences.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const countGraphemes = (text: string) => Array.from(graphemes.segment(text)).length;

const token = (text: string): RelayToken => ({ text, is_final: true });
const options = { finalMs: 0, endpoint: false, diarization: false, interim: "" };

function listRows(pieces: readonly string[], language: SpokenLanguage): string[] {
  let pending = createPending(0, language);
  const sentences: Sentence[] = [];
  for (const piece of pieces) {
    const added = addTokens(pending, [token(piece)], options);
    sentences.push(...added.sentences);
    pending = added.pending;
  }
  return [...sentences, ...endSentence(pending).sentences].map(({ original }) => original);
}

/** The fixture's text as a speaker without an end, twenty times. */
const speakOn = (language: SpokenLanguage, marks: RegExp) =>
  joinSentences(readSpokenSentences(language).sentences, language)
    .text.replace(marks, "")
    .repeat(20);

const stops = /[.?!…؟।。！？:]/gu;

describe("speech without an end", () => {
  // Graphemes that are said in two and a quarter minutes.
  test.each([
    ["en", 2_000],
    ["de", 2_000],
    ["ja", 670],
    ["zh", 600],
    ["ko", 1_000],
    ["hi", 1_200],
    ["ar", 2_000],
  ] as const)("of %s has rows of up to %i letters, and nearly so long", (language, max) => {
    const text = speakOn(language, stops);
    // About as long as a provider's tokens.
    const rows = listRows(text.match(/.{1,5}/gsu) ?? [], language);
    const lengths = rows.slice(0, -1).map(countGraphemes);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(max);
    expect(Math.min(...lengths)).toBeGreaterThan(max / 2 - 2);
    const bare = (some: string) => some.replaceAll(/\s/gu, "");
    expect(bare(rows.join(""))).toBe(bare(text));
  });

  it("is cut behind a clause, in Arabic too", () => {
    for (const [language, mark] of [
      ["ja", "、"],
      ["zh", "，"],
      ["ar", "،"],
      ["de", ","],
    ] as const) {
      const rows = listRows([speakOn(language, stops)], language).slice(0, -1);
      expect(rows.filter((row) => row.endsWith(mark)).length).toBeGreaterThan(rows.length / 2);
    }
  });

  it("is cut between words where there is no clause and no space", () => {
    const words = ["熱力学", "第二", "法則", "孤立", "系", "変化", "方向", "説明"];
    const rows = listRows([words.join("").repeat(200)], "ja").slice(0, -1);
    const ends = new RegExp(`(?:${words.join("|")})$`, "u");
    for (const row of rows) expect(row).toMatch(ends);
    const starts = new RegExp(`^(?:${words.join("|")})`, "u");
    for (const row of rows) expect(row).toMatch(starts);
  });

  test.each(["ja", "zh", "ko", "hi", "ar", "de", "th"] as const)(
    "of %s has the same rows however it is divided into tokens",
    (language) => {
      const fixture =
        language === "th"
          ? "สวัสดีครับวันนี้เราจะเรียนเรื่องความร้อน ".repeat(100)
          : speakOn(language, stops);
      const text = fixture.slice(0, 4 * sentenceMaxLength);
      const whole = listRows([text], language);
      const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 300, size: "max" });
      fc.assert(
        fc.property(cuts, (places) => {
          const sorted = [0, ...new Set(places.toSorted((a, b) => a - b)), text.length];
          const pieces = sorted.map((place, n) => text.slice(place, sorted[n + 1]));
          expect(
            listRows(
              pieces.filter((piece) => piece !== ""),
              language,
            ),
          ).toEqual(whole);
        }),
        { numRuns: countRuns(40) },
      );
    },
  );

  it("cuts no letter: neither an emoji nor a vowel of Hindi from its consonant", () => {
    for (const [text, language] of [
      ["👩‍👩‍👧‍👦".repeat(900), "ja"],
      ["कि".repeat(3_000), "hi"],
    ] as const) {
      const letters = new Set(Array.from(graphemes.segment(text), ({ segment }) => segment));
      for (const row of listRows([text], language))
        for (const { segment } of graphemes.segment(row)) expect(letters).toContain(segment);
    }
  });
});

it("ends a row of a language without marks where the speaker pauses, and no other", () => {
  const end = (text: string, language: SpokenLanguage) =>
    addTokens(createPending(0, language), [token(text)], { ...options, endpoint: true }).sentences;
  expect(end("สวัสดีครับ", "th")).toMatchObject([{ original: "สวัสดีครับ", spokenIn: "th" }]);
  expect(end("今日は", "ja")).toEqual([]);
});

it("ends a sentence where the language changes, however the tokens are divided", () => {
  const spoken: [string, SpokenLanguage][] = [
    ["Guten", "de"],
    [" Tag", "de"],
    [" hello", "en"],
    [" there.", "en"],
    [" ", "de"],
    [" 今日", "ja"],
    ["は。", "ja"],
  ];
  const tokens = spoken.map(([text, language]) => ({ ...token(text), language }));
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (cuts) => {
      let pending = createPending(0, "de");
      const found: Sentence[] = [];
      let batch: RelayToken[] = [];
      for (const [index, next] of tokens.entries()) {
        batch.push(next);
        if (cuts[index] !== true && index < tokens.length - 1) continue;
        const added = addTokens(pending, batch, options);
        found.push(...added.sentences);
        pending = added.pending;
        batch = [];
      }
      found.push(...endSentence(pending).sentences);
      expect(found.map(({ original, spokenIn }) => [spokenIn, original])).toEqual([
        ["de", "Guten Tag"],
        ["en", "hello there."],
        ["ja", "今日は。"],
      ]);
    }),
  );
});
