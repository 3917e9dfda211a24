import type { TranscriptEntry } from "#shared/lecture.ts";
import { entriesPerAppendMax } from "#shared/limits.ts";

/** Half of what the server accepts in one call, so that the rest of the request fits too. */
const runMaxBytes = 2 * 1024 * 1024;

export const countBytes = (value: unknown) =>
  new TextEncoder().encode(JSON.stringify(value)).byteLength;

/** Neighbouring rows, beginning at position `from`. */
export interface Run {
  from: number;
  entries: TranscriptEntry[];
}

export type RowAt = (position: number) => TranscriptEntry | undefined;

/**
 * The first run among `positions`: as many rows as one call may carry, but at least one. It has no
 * entries when the first position does not exist. Null without positions.
 */
export function findFirstRun(
  positions: ReadonlySet<number>,
  row: RowAt,
  maxBytes = runMaxBytes,
): Run | null {
  if (positions.size === 0) return null;
  let from = Number.POSITIVE_INFINITY;
  for (const position of positions) from = Math.min(from, position);
  const entries: TranscriptEntry[] = [];
  let bytes = 0;
  for (let at = from; entries.length < entriesPerAppendMax && positions.has(at); at += 1) {
    const entry = row(at);
    if (entry === undefined) break;
    bytes += countBytes(entry);
    if (bytes > maxBytes && at > from) break;
    entries.push(entry);
  }
  return { from, entries };
}
