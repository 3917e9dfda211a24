import type { TranscriptEntry } from "#shared/lecture.ts";
import { entriesPerAppendMax } from "#shared/limits.ts";
import type { LectureFields } from "./changed-fields.ts";

/** Browsers limit all `keepalive` requests of a page to 64 KiB together. */
const unloadMaxBytes = 56_000;

/** Half of what the server accepts in one call, so that the rest of the request fits too. */
const runMaxBytes = 2 * 1024 * 1024;

const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;

/** Neighbouring rows: `count` positions beginning with `from`. */
export interface Run {
  from: number;
  count: number;
}

type RowAt = (position: number) => TranscriptEntry | undefined;

/** The first run among `positions`, as long as one call may be but at least one row. Null without positions. */
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

/** The rows of `run` as the server expects them, up to the first that does not exist. */
export function toEntries(run: Run, row: RowAt): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (let at = run.from; at < run.from + run.count; at += 1) {
    const next = row(at);
    if (next === undefined) break;
    entries.push(toEntry(next));
  }
  return entries;
}

/** True when a closing page can still send `fields`. */
export const fitsUnloadRequest = (fields: LectureFields): boolean =>
  countBytes(fields) <= unloadMaxBytes;

/** The beginning of the first run, as much of it as a closing page can still send besides `fields`. */
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
