import { expect, test } from "vitest";
import { planAddition, planReplacement } from "#client/realtime/again/plan-rows.ts";
import { NotRecognizedError } from "#client/realtime/again/recognize-kept.ts";
import type { HeardWords } from "#client/realtime/again/replace-rows.ts";
import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";

const languages = { sourceLanguage: "en", targetLanguage: "de", isTwoWay: false } as const;

const createRow = (
  original: string,
  startMs: number,
  over: Partial<TranscriptRow> = {},
): TranscriptRow => ({
  position: 0,
  original,
  spokenIn: "en",
  translated: "x",
  translation: "done",
  translatedInto: "de",
  translatedByHand: false,
  speaker: null,
  revision: 3,
  startMs,
  endMs: startMs + 4_000,
  ...over,
});

const say = (...words: [text: string, startMs: number][]): HeardWords => ({
  kind: "words",
  batch: {
    type: "tokens",
    tokens: words.map(([text, startMs]) => ({
      text: ` ${text}`,
      is_final: true,
      start_ms: startMs,
      end_ms: startMs + 300,
    })),
    audio_final_proc_ms: 0,
    audio_total_proc_ms: 0,
  },
  languages: { language: "en", secondLanguage: null },
  diarization: false,
});

/** Rows with gaps of 2 s between them; the second is a person's. */
const rows = [
  createRow("First.", 0),
  createRow("Second.", 6_000, { originalByHand: true }),
  createRow("Third.", 12_000),
];
const words = [say(["In", 4_500], ["between.", 5_000]), say(["And", 10_300], ["here.", 11_000])];
const toRows = (entries: readonly TranscriptEntry[] | null) =>
  (entries ?? []).map((entry, position) => createRow("", 0, { ...entry, position }));
const listTexts = (entries: readonly TranscriptEntry[] | null) =>
  entries?.map(({ original }) => original);

test("words of gaps come between the rows, in order, and every row stays as it is", () => {
  const { entries, count } = planAddition(words, languages)(rows, languages);
  expect(count).toBe(2);
  expect(listTexts(entries)).toEqual(["First.", "In between.", "Second.", "And here.", "Third."]);
  expect(entries?.[0]).toMatchObject({ translated: "x", revision: 3 });
  // Newer than all others, and still to be translated.
  expect(entries?.[1]).toMatchObject({ translated: "", translatedInto: "de", revision: 4 });
});

test("words that have rows already are added once", () => {
  const plan = planAddition(words, languages);
  const later = toRows(plan(rows, languages).entries);
  expect(plan(later, languages)).toMatchObject({ entries: null, count: 0 });
});

test("without words nothing changes", () => {
  expect(planAddition([{ kind: "end" }], languages)(rows, languages).entries).toBeNull();
});

test("undoing takes away what was added, but for what a person has corrected since", () => {
  const { entries, undo } = planAddition(words, languages)(rows, languages);
  const later = toRows(entries);
  expect(listTexts(undo(later, languages).entries)).toEqual(["First.", "Second.", "Third."]);
  const corrected = later.map((row) =>
    row.original === "And here." ? { ...row, translatedByHand: true } : row,
  );
  expect(listTexts(undo(corrected, languages).entries)).toEqual([
    "First.",
    "Second.",
    "And here.",
    "Third.",
  ]);
});

test("rows are not replaced by nothing", () => {
  const spans = [{ startMs: 0, endMs: 20_000 }];
  expect(() => planReplacement([], spans, languages)(rows, languages)).toThrow(NotRecognizedError);
  const { entries, undo } = planReplacement(words, spans, languages)(rows, languages);
  expect(listTexts(entries)).toEqual(["In between.", "Second.", "And here."]);
  expect(listTexts(undo(toRows(entries), languages).entries)).toEqual([
    "First.",
    "Second.",
    "Third.",
  ]);
});
