import type { TranscriptRow } from "#client/realtime/session-types.ts";
import { rowsMovedMax } from "#shared/limits.ts";

interface Merged {
  /** All rows of the server and the page, in the order of the lecture's clock. */
  rows: TranscriptRow[];
  /** Positions of rows of which the server has an older revision. */
  changed: number[];
  /** Positions of rows that the server lacks. */
  missing: number[];
  /** Old position → new position; a row that was replaced by the server's has no entry. */
  moved: Map<number, number>;
}

interface Placed {
  row: TranscriptRow;
  /** Set when the page's row is kept. */
  ownRow?: TranscriptRow;
  state: "same" | "changed" | "missing";
}

/**
 * Merges the page's rows with the server's after another tab or device has saved some. Of a row that
 * both have, the newer revision is kept. A row that the server lacks is inserted by its start, or added
 * at the end if the server would have to move too many rows. Rows below `savedRowCount` were saved.
 */
export function mergeRows(
  local: readonly TranscriptRow[],
  stored: readonly TranscriptRow[],
  savedRowCount: number,
): Merged {
  const placed: Placed[] = stored.map((row) => ({ row, state: "same" }));
  const missing: Placed[] = [];
  const matched = new Set<number>();
  for (const row of local) {
    const at = findStoredPosition(row, stored, savedRowCount, matched);
    const storedRow = at === undefined ? undefined : stored[at];
    if (at === undefined || storedRow === undefined) {
      missing.push({ row, ownRow: row, state: "missing" });
      continue;
    }
    matched.add(at);
    if (row.revision < storedRow.revision) continue;
    placed[at] = {
      row,
      ownRow: row,
      state: row.revision > storedRow.revision ? "changed" : "same",
    };
  }
  for (const one of missing) placed.splice(findInsertPosition(placed, one.row), 0, one);
  const merged: Merged = { rows: [], changed: [], missing: [], moved: new Map() };
  for (const [position, { row, ownRow, state }] of placed.entries()) {
    merged.rows.push(row.position === position ? row : { ...row, position });
    if (ownRow !== undefined) merged.moved.set(ownRow.position, position);
    if (state !== "same") merged[state].push(position);
  }
  return merged;
}

function findInsertPosition(placed: readonly Placed[], { startMs }: TranscriptRow): number {
  const behind = placed.findLastIndex(({ row }) => row.startMs <= startMs) + 1;
  return placed.length - behind > rowsMovedMax ? placed.length : behind;
}

/** The server's position of the sentence of `row`, among those that are not in `matched`. */
function findStoredPosition(
  row: TranscriptRow,
  stored: readonly TranscriptRow[],
  savedRowCount: number,
  matched: ReadonlySet<number>,
): number | undefined {
  const { position } = row;
  // A saved row keeps its start, but other rows may have been inserted before it.
  if (position < savedRowCount) {
    if (stored[position]?.startMs === row.startMs) return position;
    const moved = stored.findIndex(
      (other) => !matched.has(other.position) && other.startMs === row.startMs,
    );
    if (moved !== -1) return moved;
  }
  // The same words at the same time are one sentence: transcribed again, or saved without an answer.
  const at = stored.findIndex(
    (other) =>
      !matched.has(other.position) &&
      other.english === row.english &&
      other.startMs <= row.endMs &&
      row.startMs <= other.endMs,
  );
  return at === -1 ? undefined : at;
}
