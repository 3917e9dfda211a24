import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import { rowsMovedMax } from "#shared/limits.ts";
import { RowTimeline } from "./row-timeline.ts";

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
 * has no longer is left out. `unsaved`: positions of the page's rows with changes that the server may lack; what a person
 * has written there is kept, also beside rows that have replaced it.
 */
export function mergeRows(
  local: readonly TranscriptRow[],
  stored: readonly TranscriptRow[],
  savedRowCount: number,
  unsaved: ReadonlySet<number> = new Set(),
): Merged {
  const candidates: Candidate[] = stored.map((row) => ({ row, state: "stored" }));
  const missing: TranscriptRow[] = [];
  const findStored = createStoredFinder(stored, savedRowCount);
  for (const row of local) {
    const storedRow = findStored(row);
    const isWritten = unsaved.has(row.position) && isCorrected(row);
    // One that was saved was replaced when the lecture was recognised again, perhaps by one that begins with it.
    if (storedRow === undefined || (isWritten && isOther(row, storedRow))) {
      if (isWritten || row.position >= savedRowCount) missing.push(row);
      continue;
    }
    const changed = isWritten ? keepByHand(row, storedRow) : null;
    if (changed !== null) candidates[storedRow.position] = { row: changed, state: "changed" };
    else if (row.revision > storedRow.revision)
      candidates[storedRow.position] = { row, state: "changed" };
    else if (isSameText(row, storedRow)) candidates[storedRow.position] = { row, state: "same" };
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

/** A person has written something in the row. */
export const isCorrected = ({ originalByHand, translatedByHand }: TranscriptRow): boolean =>
  originalByHand === true || translatedByHand;

const isSameText = (one: TranscriptRow, other: TranscriptRow): boolean =>
  one.original === other.original && one.translated === other.translated;

const isOther = (one: TranscriptRow, other: TranscriptRow): boolean =>
  one.endMs !== other.endMs && one.original !== other.original;

/**
 * The server's row with what a person has written in the page's, if its revision would make the server leave that out: the
 * later of two texts counts. Null: nothing would be left out.
 */
function keepByHand(row: TranscriptRow, stored: TranscriptRow): TranscriptRow | null {
  if (row.revision > stored.revision || isSameText(row, stored)) return null;
  const isOriginalKept = row.originalByHand === true && row.original !== stored.original;
  const isTranslationKept = row.translatedByHand && row.translated !== stored.translated;
  if (!isOriginalKept && !isTranslationKept) return null;
  return {
    // With a new original comes its translation, unless a person has written the stored one.
    ...(isOriginalKept && !stored.translatedByHand ? row : stored),
    ...(isOriginalKept && { original: row.original, originalByHand: true }),
    ...(isTranslationKept && {
      translated: row.translated,
      translatedInto: row.translatedInto,
      translatedByHand: true,
    }),
    position: row.position,
    revision: stored.revision + 1,
  };
}

function findInsertPosition(candidates: readonly Candidate[], { startMs }: TranscriptRow): number {
  const least = Math.max(0, candidates.length - rowsMovedMax);
  for (let behind = candidates.length; behind >= least; behind -= 1) {
    const before = candidates[behind - 1];
    if (before === undefined || before.row.startMs <= startMs) return behind;
  }
  return candidates.length;
}

/** A function that finds the server's row of the same sentence, each once; undefined without one. */
function createStoredFinder(stored: readonly TranscriptRow[], savedRowCount: number) {
  const matched = new Set<TranscriptRow>();
  /** The last ones first. */
  const byStart = Map.groupBy(stored.toReversed(), ({ startMs }) => startMs);
  const byWords = new Map(
    [...Map.groupBy(stored, ({ original }) => original)].map(([words, rows]) => [
      words,
      new RowTimeline(rows),
    ]),
  );
  const findMoved = (startMs: number) => {
    const group = byStart.get(startMs) ?? [];
    for (let row = group.at(-1); row; row = group.at(-1)) {
      if (!matched.has(row)) return row;
      group.pop();
    }
    return undefined;
  };
  const find = (row: TranscriptRow) => {
    const { position, startMs } = row;
    // A saved row keeps its start, but other rows may have been inserted before it.
    if (position < savedRowCount) {
      const there = stored[position];
      if (there?.startMs === startMs) return there;
      const moved = findMoved(startMs);
      if (moved) return moved;
    }
    // The same words at the same time are one sentence: transcribed again, or saved without an answer.
    return byWords
      .get(row.original)
      ?.listAt(row)
      .filter((one) => !matched.has(one))
      .reduce<TranscriptRow | undefined>(
        (first, one) => (first && first.position < one.position ? first : one),
        undefined,
      );
  };
  return (row: TranscriptRow) => {
    const found = find(row);
    if (found) matched.add(found);
    return found;
  };
}
