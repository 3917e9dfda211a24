import { expect, test } from "vitest";
import {
  planAddition,
  planReplacement,
  type RowChanges,
} from "#client/recorder/again/plan-rows.ts";
import { NotRecognizedError } from "#client/recorder/again/recognize-kept.ts";
import type { HeardWords } from "#client/recorder/again/replace-rows.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";

const languages = { sourceLanguage: "en", targetLanguage: "de", isTwoWay: false } as const;

const createRow = (
  original: string,
  startMs: number,
  change: Partial<TranscriptEntry> = {},
): TranscriptEntry =>
  createEntry(original, startMs, {
    id: original,
    seq: 3,
    ordinal: startMs / 1_000,
    translated: "x",
    translatedInto: "de",
    endMs: startMs + 4_000,
    ...change,
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

function createOptions() {
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `new ${ids}`;
  };
  return { languages, newId };
}

/** `before` after a call, which the server has numbered `seq`. */
const apply = (before: readonly TranscriptEntry[], { entries, deleted }: RowChanges, seq = 9) =>
  [
    ...before.filter(({ id }) => !deleted.some((row) => row.id === id)),
    ...entries.map((row) => ({ ...row, seq })),
  ].sort((a, b) => a.startMs - b.startMs);
const listTexts = (entries: readonly TranscriptEntry[]) => entries.map(({ original }) => original);

test("words of gaps become new rows between the others, which stay as they are", () => {
  const changes = planAddition(words, createOptions())(rows);
  expect(changes.deleted).toEqual([]);
  expect(changes.entries).toMatchObject([
    // Behind all others in number, and still to be translated.
    { id: "new 1", seq: 0, ordinal: 13, original: "In between.", translated: "" },
    { id: "new 2", seq: 0, ordinal: 14, original: "And here.", translatedInto: "de" },
  ]);
  expect(listTexts(apply(rows, changes))).toEqual([
    "First.",
    "In between.",
    "Second.",
    "And here.",
    "Third.",
  ]);
});

test("words that have rows already are added once", () => {
  const plan = planAddition(words, createOptions());
  const later = apply(rows, plan(rows));
  expect(plan(later)).toMatchObject({ entries: [], deleted: [] });
});

test("without words nothing changes", () => {
  const changes = planAddition([{ kind: "end" }], createOptions())(rows);
  expect(changes).toMatchObject({ entries: [], deleted: [] });
});

test("undoing takes away what was added, but for what a person has corrected since", () => {
  const changes = planAddition(words, createOptions())(rows);
  const later = apply(rows, changes);
  expect(changes.undo(later, 9)).toEqual({
    entries: [],
    deleted: [
      { id: "new 1", seq: 9 },
      { id: "new 2", seq: 9 },
    ],
  });
  const corrected = later.map((row) =>
    row.id === "new 2" ? { ...row, translatedByHand: true, seq: 10 } : row,
  );
  expect(listTexts(apply(corrected, changes.undo(corrected, 9)))).toEqual([
    "First.",
    "Second.",
    "And here.",
    "Third.",
  ]);
});

const spans = [{ startMs: 0, endMs: 20_000 }];

test("rows are not replaced by nothing", () => {
  expect(() => planReplacement([], spans, createOptions())(rows)).toThrow(NotRecognizedError);
});

test("rows are replaced in the version that is known, and come back with that of the replacement", () => {
  const changes = planReplacement(words, spans, createOptions())(rows);
  expect(changes.deleted).toEqual([
    { id: "First.", seq: 3 },
    { id: "Third.", seq: 3 },
  ]);
  const later = apply(rows, changes);
  expect(listTexts(later)).toEqual(["In between.", "Second.", "And here."]);
  const back = changes.undo(later, 9);
  expect(back.entries).toEqual([
    { ...rows[0], seq: 9 },
    { ...rows[2], seq: 9 },
  ]);
  expect(listTexts(apply(later, back))).toEqual(["First.", "Second.", "Third."]);
});

test("a row that another device has changed meanwhile is still there, and not brought back", () => {
  const changes = planReplacement(words, spans, createOptions())(rows);
  const kept = createRow("First.", 0, { seq: 8, original: "Theirs." });
  const back = changes.undo([kept, ...apply(rows, changes)], 9);
  expect(back.entries.map(({ id }) => id)).toEqual(["Third."]);
});
