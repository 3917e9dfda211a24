import type { TranscriptEntry } from "#shared/lecture.ts";
import { entriesPerAppendMax } from "#shared/limits.ts";

/** Browsers limit all `keepalive` requests of a page to 64 KiB together. */
const unloadMaxBytes = 56_000;

/** Half of what the server accepts in one call, so that the rest of the request fits too. */
const runMaxBytes = 2 * 1024 * 1024;

const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;

/** Neighbouring rows, beginning at position `from`. */
export interface Run {
  from: number;
  entries: TranscriptEntry[];
}

type RowAt = (position: number) => TranscriptEntry | undefined;

/**
 * The first run among `positions`: as many rows as one call may carry, but at least one. It has no
 * entries when the first position does not exist. Null without positions.
 */
export function findFirstRun(positions: ReadonlySet<number>, row: RowAt): Run | null {
  if (positions.size === 0) return null;
  let from = Number.POSITIVE_INFINITY;
  for (const position of positions) from = Math.min(from, position);
  const entries: TranscriptEntry[] = [];
  let bytes = 0;
  for (let at = from; entries.length < entriesPerAppendMax && positions.has(at); at += 1) {
    const entry = row(at);
    if (entry === undefined) break;
    bytes += countBytes(entry);
    if (bytes > runMaxBytes && at > from) break;
    entries.push(entry);
  }
  return { from, entries };
}

/** True when a closing page can still send `value`. */
export const fitsUnloadRequest = (value: unknown): boolean => countBytes(value) <= unloadMaxBytes;

/** The beginning of the first run, as much of it as a closing page can still send besides `sent`. */
export function findUnloadRun(
  positions: ReadonlySet<number>,
  row: RowAt,
  sent: unknown,
): Run | null {
  const run = findFirstRun(positions, row);
  if (run === null) return null;
  const entries: TranscriptEntry[] = [];
  let bytes = countBytes(sent);
  for (const entry of run.entries) {
    bytes += countBytes(entry);
    if (bytes > unloadMaxBytes) break;
    entries.push(entry);
  }
  return entries.length === 0 ? null : { from: run.from, entries };
}
