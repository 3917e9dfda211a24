import type { TranscriptRow } from "#client/realtime/types.ts";
import { rowsMovedMax } from "#shared/limits.ts";

interface Merged {
  /** The server's rows and those that only this page has, in the order of the lecture's clock. */
  rows: TranscriptRow[];
  /** Positions whose row the server has in an older revision. */
  changed: number[];
  /** Positions whose row the server lacks. */
  missing: number[];
  /** Where the row of an old position is now; a row that gave way to the server's has no entry. */
  moved: Map<number, number>;
}

interface Placed {
  row: TranscriptRow;
  /** This page's own row, which stays. */
  ownRow?: TranscriptRow;
  state: "same" | "changed" | "missing";
}

/**
 * Joins this page's rows with what the server holds after another page or device wrote there. A row
 * that the server has keeps the newer revision. What it lacks goes before the rows behind it that begin
 * later, unless these are more than the server moves. Rows below `savedRowCount` had reached the server.
 */
export function mergeRows(
  own: readonly TranscriptRow[],
  stored: readonly TranscriptRow[],
  savedRowCount: number,
): Merged {
  const placed: Placed[] = stored.map((row) => ({ row, state: "same" }));
  const missing: Placed[] = [];
  const met = new Set<number>();
  for (const row of own) {
    const at = findStoredPosition(row, stored, savedRowCount, met);
    const theirs = at === undefined ? undefined : stored[at];
    if (at === undefined || theirs === undefined) {
      missing.push({ row, ownRow: row, state: "missing" });
      continue;
    }
    met.add(at);
    if (row.revision < theirs.revision) continue;
    placed[at] = { row, ownRow: row, state: row.revision > theirs.revision ? "changed" : "same" };
  }
  for (const one of missing) placed.splice(findInsertPosition(placed, one.row), 0, one);
  const merged: Merged = { rows: [], changed: [], missing: [], moved: new Map() };
  for (const [position, { row, ownRow: own, state }] of placed.entries()) {
    merged.rows.push(row.position === position ? row : { ...row, position });
    if (own !== undefined) merged.moved.set(own.position, position);
    if (state !== "same") merged[state].push(position);
  }
  return merged;
}

function findInsertPosition(placed: readonly Placed[], { startMs }: TranscriptRow): number {
  const behind = placed.findLastIndex(({ row }) => row.startMs <= startMs) + 1;
  return placed.length - behind > rowsMovedMax ? placed.length : behind;
}

/** Where the server has the sentence of `row`, if it is none of those in `met`. */
function findStoredPosition(
  row: TranscriptRow,
  stored: readonly TranscriptRow[],
  savedRowCount: number,
  met: ReadonlySet<number>,
): number | undefined {
  const { position } = row;
  // A row's start never changes, but other rows may have been inserted before it.
  if (position < savedRowCount) {
    if (stored[position]?.startMs === row.startMs) return position;
    const moved = stored.findIndex(
      (other) => !met.has(other.position) && other.startMs === row.startMs,
    );
    if (moved !== -1) return moved;
  }
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
