import type { TranscriptEntry } from "#shared/lecture.ts";
import { entriesPerAppendMax } from "#shared/limits.ts";
import type { LectureFields } from "./changed-fields.ts";

/** What browsers carry for a page that is gone is 64 KiB in all; other calls may be under way too. */
const partingMaxBytes = 56_000;

/** Half of what the server takes in one call: what goes around the rows needs a little too. */
const runMaxBytes = 2 * 1024 * 1024;

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;

export interface Run {
  from: number;
  count: number;
}

type RowAt = (position: number) => TranscriptEntry | undefined;

/** The first run of neighbours among `positions`, no longer than one call may carry; one row at least. */
export function firstRun(positions: ReadonlySet<number>, row: RowAt): Run | null {
  let from = Number.POSITIVE_INFINITY;
  for (const position of positions) from = Math.min(from, position);
  if (from === Number.POSITIVE_INFINITY) return null;
  let count = 1;
  let bytes = entryBytes(row(from));
  while (count < entriesPerAppendMax && positions.has(from + count)) {
    bytes += entryBytes(row(from + count));
    if (bytes > runMaxBytes) break;
    count += 1;
  }
  return { from, count };
}

const entryBytes = (row: TranscriptEntry | undefined) =>
  row === undefined ? 0 : bytesOf(toEntry(row));

/** The rows of `run` as the server takes them, up to the first that does not exist. */
export function entriesOf(run: Run, row: RowAt): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (let at = run.from; at < run.from + run.count; at += 1) {
    const next = row(at);
    if (next === undefined) break;
    entries.push(toEntry(next));
  }
  return entries;
}

/** Whether a page that is closing can still send `fields`. */
export const partsWith = (fields: LectureFields): boolean => bytesOf(fields) <= partingMaxBytes;

/** The first run of what is not saved, as far as a page that is closing can still send it with `fields`. */
export function partingEntries(
  positions: ReadonlySet<number>,
  row: RowAt,
  fields: LectureFields | null,
): { from: number; entries: TranscriptEntry[] } | null {
  const run = firstRun(positions, row);
  if (run === null) return null;
  const entries: TranscriptEntry[] = [];
  let bytes = fields === null ? 0 : bytesOf(fields);
  for (const entry of entriesOf(run, row)) {
    bytes += bytesOf(entry);
    if (bytes > partingMaxBytes) break;
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
