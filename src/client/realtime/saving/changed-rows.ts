import type { TranscriptEntry } from "#shared/lecture.ts";
import { entriesPerAppendMax } from "#shared/limits.ts";
import type { LectureFields } from "./changed-fields.ts";

/** What browsers carry for a page that is gone is 64 KiB in all; other calls may be under way too. */
const unloadMaxBytes = 56_000;

/** Half of what the server takes in one call: what goes around the rows needs a little too. */
const runMaxBytes = 2 * 1024 * 1024;

const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;

export interface Run {
  from: number;
  count: number;
}

type RowAt = (position: number) => TranscriptEntry | undefined;

/** The first run of neighbours among `positions`, no longer than one call may carry; one row at least. */
export function findFirstRun(positions: ReadonlySet<number>, row: RowAt): Run | null {
  let from = Number.POSITIVE_INFINITY;
  for (const position of positions) from = Math.min(from, position);
  if (from === Number.POSITIVE_INFINITY) return null;
  let count = 1;
  let bytes = countEntryBytes(row(from));
  while (count < entriesPerAppendMax && positions.has(from + count)) {
    bytes += countEntryBytes(row(from + count));
    if (bytes > runMaxBytes) break;
    count += 1;
  }
  return { from, count };
}

const countEntryBytes = (row: TranscriptEntry | undefined) =>
  row === undefined ? 0 : countBytes(toEntry(row));

/** The rows of `run` as the server takes them, up to the first that does not exist. */
export function toEntries(run: Run, row: RowAt): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (let at = run.from; at < run.from + run.count; at += 1) {
    const next = row(at);
    if (next === undefined) break;
    entries.push(toEntry(next));
  }
  return entries;
}

/** Whether a page that is closing can still send `fields`. */
export const fitsUnloadRequest = (fields: LectureFields): boolean =>
  countBytes(fields) <= unloadMaxBytes;

/** The first run of what is not saved, as far as a page that is closing can still send it with `fields`. */
export function listUnloadEntries(
  positions: ReadonlySet<number>,
  row: RowAt,
  fields: LectureFields | null,
): { from: number; entries: TranscriptEntry[] } | null {
  const run = findFirstRun(positions, row);
  if (run === null) return null;
  const entries: TranscriptEntry[] = [];
  let bytes = fields === null ? 0 : countBytes(fields);
  for (const entry of toEntries(run, row)) {
    bytes += countBytes(entry);
    if (bytes > unloadMaxBytes) break;
    entries.push(entry);
  }
  return entries.length === 0 ? null : { from: run.from, entries };
}

function toEntry(row: TranscriptEntry): TranscriptEntry {
  const { english, translated, translatedInto, translatedByHand } = row;
  const { speaker, startMs, endMs, revision } = row;
  return {
    english,
    translated,
    translatedInto,
    translatedByHand,
    speaker,
    startMs,
    endMs,
    revision,
  };
}
