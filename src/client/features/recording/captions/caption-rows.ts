import type { RowBlock, TranscriptRow } from "#client/lecture/lecture-document.ts";

/** Rows that the window shows when it opens, and that stay at least. */
export const openedRows = 6;
/** With more rows, those above the visible part are taken away. */
export const shownRowsMax = 12;

/** The position of the row with which the window begins when it opens. */
export function getOpenedFrom(blocks: readonly RowBlock[]): number {
  const last = blocks.at(-1)?.rows.at(-1)?.position ?? -1;
  return Math.max(0, last + 1 - openedRows);
}

/** The rows from position `from` on, and the one before them. The rest of the lecture is not looked at. */
export function selectRows(
  blocks: readonly RowBlock[],
  from: number,
): { rows: readonly TranscriptRow[]; previousRow: TranscriptRow | undefined } {
  const end = blocks.findLastIndex((block) => (block.rows[0]?.position ?? 0) <= from);
  const near = blocks.slice(Math.max(0, end - 1)).flatMap(({ rows }) => rows);
  return {
    rows: near.filter(({ position }) => position >= from),
    previousRow: near.findLast(({ position }) => position < from),
  };
}

interface PlacedRow {
  position: number;
  /** Its lower edge, px from the top of the visible part. */
  bottom: number;
}

/** The position of the row with which the window goes on: what can be seen stays. */
export function getNextFrom(rows: readonly PlacedRow[]): number {
  const first = rows[0]?.position ?? 0;
  if (rows.length <= shownRowsMax) return first;
  const visible = rows.findIndex(({ bottom }) => bottom > 0);
  const kept = rows.length - openedRows;
  return rows[visible < 0 ? kept : Math.min(visible, kept)]?.position ?? first;
}
