import type { TranscriptRow } from "../contract.ts";

interface Merged {
  /** The server's rows, then those that only this page has. */
  rows: TranscriptRow[];
  /** Positions whose row the server lacks or has in an older revision. */
  changed: number[];
  /** Where the row of an old position is now; a row that gave way to the server's has no entry. */
  moved: Map<number, number>;
}

/**
 * Joins this page's rows with what the server holds after another page or device wrote there. A row
 * that the server has keeps the newer revision; what it lacks goes behind, in order. Rows below
 * `savedRows` had reached the server: they are known by their place and start.
 */
export function mergeRows(
  own: readonly TranscriptRow[],
  stored: readonly TranscriptRow[],
  savedRows: number,
): Merged {
  const rows = [...stored];
  const changed: number[] = [];
  const moved = new Map<number, number>();
  const met = new Set<number>();
  for (const row of own) {
    const at = placeOf(row, stored, savedRows, met);
    if (at !== undefined) met.add(at);
    const theirs = at === undefined ? undefined : stored[at];
    if (at === undefined || theirs === undefined) {
      const position = rows.length;
      rows.push(row.position === position ? row : { ...row, position });
      moved.set(row.position, position);
      changed.push(position);
    } else if (row.revision >= theirs.revision) {
      rows[at] = row.position === at ? row : { ...row, position: at };
      moved.set(row.position, at);
      if (row.revision > theirs.revision) changed.push(at);
    }
  }
  return { rows, changed, moved };
}

/** Where the server has the sentence of `row`, if it is none of those in `met`. */
function placeOf(
  row: TranscriptRow,
  stored: readonly TranscriptRow[],
  savedRows: number,
  met: ReadonlySet<number>,
): number | undefined {
  const { position } = row;
  // A row's start never changes.
  if (position < savedRows && stored[position]?.startMs === row.startMs) return position;
  // The same words at the same time are one sentence, heard again or saved without an answer.
  const at = stored.findIndex(
    (other) =>
      !met.has(other.position) &&
      other.english === row.english &&
      other.startMs <= row.endMs &&
      row.startMs <= other.endMs,
  );
  return at === -1 ? undefined : at;
}
