import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { recapRowsMax, recapTextMaxLength, translateTextMaxLength } from "#shared/limits.ts";

/**
 * Rows of a long time are divided into blocks of ten minutes, each of which is condensed once, and whole hours are
 * condensed from their blocks: so the tenth hour is as cheap as the first minute.
 */

/** What one call reads as a row: a row, or a statement that rests on several. */
export interface RecapItem {
  text: string;
  rows: readonly TranscriptRow[];
}

export interface RecapBlock {
  /** Its time on the lecture's clock, in blocks of ten minutes. */
  index: number;
  rows: readonly TranscriptRow[];
}

const blockMs = 600_000;
const blocksPerHour = 6;

export const toItem = (row: TranscriptRow): RecapItem => ({
  text: row.original.trim().slice(0, translateTextMaxLength).toWellFormed().trim(),
  rows: [row],
});

/** Whether one call can read them. */
export const fitsOneCall = (items: readonly RecapItem[]): boolean =>
  items.length <= recapRowsMax &&
  items.reduce((sum, { text }) => sum + text.length, 0) <= recapTextMaxLength;

/** The rows by ten minutes, in their order; those that one call cannot read are halved. */
export function divideIntoBlocks(rows: readonly TranscriptRow[]): RecapBlock[] {
  const blocks: { index: number; rows: TranscriptRow[] }[] = [];
  for (const row of rows) {
    const index = Math.floor(row.startMs / blockMs);
    const last = blocks.at(-1);
    // Rows of a take that came late may have an earlier time than the row before.
    if (last && index <= last.index) last.rows.push(row);
    else blocks.push({ index, rows: [row] });
  }
  return blocks.flatMap(halve);
}

function halve(block: RecapBlock): RecapBlock[] {
  if (block.rows.length < 2 || fitsOneCall(block.rows.map(toItem))) return [block];
  const middle = Math.ceil(block.rows.length / 2);
  const { index, rows } = block;
  return [rows.slice(0, middle), rows.slice(middle)].flatMap((half) =>
    halve({ index, rows: half }),
  );
}

/** The blocks that begin an hour and are whole in it, together; the others alone. */
export function groupByHour(blocks: readonly RecapBlock[]): RecapBlock[][] {
  const groups: RecapBlock[][] = [];
  for (const block of blocks) {
    const hour = Math.floor(block.index / blocksPerHour);
    const last = groups.at(-1);
    const isSameHour = last?.[0] && Math.floor(last[0].index / blocksPerHour) === hour;
    if (last && isSameHour) last.push(block);
    else groups.push([block]);
  }
  return groups.flatMap((group) =>
    new Set(group.map(({ index }) => index)).size === blocksPerHour
      ? [group]
      : group.map((block) => [block]),
  );
}
