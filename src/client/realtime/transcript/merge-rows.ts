import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
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

interface Candidate {
  row: TranscriptRow;
  /** `stored`: the server's row; otherwise the page's, and what the server has of it. */
  state: "stored" | "same" | "changed" | "missing";
}

/**
 * Merges the page's rows with the server's after another tab or device has saved some. Of a row that
 * both have, the newer revision is kept. A row that the server lacks is inserted by its start, or added
 * at the end if the server would have to move too many rows. Rows below `savedRowCount` were saved: one that the server
 * has no longer is left out.
 */
export function mergeRows(
  local: readonly TranscriptRow[],
  stored: readonly TranscriptRow[],
  savedRowCount: number,
): Merged {
  const candidates: Candidate[] = stored.map((row) => ({ row, state: "stored" }));
  const missing: TranscriptRow[] = [];
  const matched = new Set<number>();
  for (const row of local) {
    const position = findStoredPosition(row, stored, savedRowCount, matched);
    const storedRow = stored[position];
    if (storedRow === undefined) {
      // One that was saved was replaced when the lecture was recognised again.
      if (row.position >= savedRowCount) missing.push(row);
      continue;
    }
    matched.add(position);
    if (row.revision < storedRow.revision) continue;
    const state = row.revision > storedRow.revision ? "changed" : "same";
    candidates[position] = { row, state };
  }
  for (const row of missing)
    candidates.splice(findInsertPosition(candidates, row), 0, { row, state: "missing" });
  const merged: Merged = { rows: [], changed: [], missing: [], moved: new Map() };
  for (const [position, { row, state }] of candidates.entries()) {
    merged.rows.push(row.position === position ? row : { ...row, position });
    if (state !== "stored") merged.moved.set(row.position, position);
    if (state === "changed" || state === "missing") merged[state].push(position);
  }
  return merged;
}

function findInsertPosition(candidates: readonly Candidate[], { startMs }: TranscriptRow): number {
  const behind = candidates.findLastIndex(({ row }) => row.startMs <= startMs) + 1;
  return candidates.length - behind > rowsMovedMax ? candidates.length : behind;
}

/** The server's position of the sentence of `row`, among those that are not in `matched`; -1 without one. */
function findStoredPosition(
  row: TranscriptRow,
  stored: readonly TranscriptRow[],
  savedRowCount: number,
  matched: ReadonlySet<number>,
): number {
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
  return stored.findIndex(
    (other) =>
      !matched.has(other.position) &&
      other.original === row.original &&
      other.startMs <= row.endMs &&
      row.startMs <= other.endMs,
  );
}
