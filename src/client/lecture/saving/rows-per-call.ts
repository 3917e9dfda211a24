import type { TranscriptEntry } from "#shared/lecture.ts";
import { rowsPerCallMax } from "#shared/limits.ts";

/** Half of what the server accepts in one call, so that the rest of the request fits too. */
const callMaxBytes = 2 * 1024 * 1024;

export const countBytes = (value: unknown) =>
  new TextEncoder().encode(JSON.stringify(value)).byteLength;

/** The first of `rows`: as many as one call may carry, but at least one. */
export function selectRows(
  rows: Iterable<TranscriptEntry>,
  maxBytes = callMaxBytes,
): TranscriptEntry[] {
  const selected: TranscriptEntry[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += countBytes(row);
    if (bytes > maxBytes && selected.length > 0) break;
    selected.push(row);
    if (selected.length === rowsPerCallMax) break;
  }
  return selected;
}
