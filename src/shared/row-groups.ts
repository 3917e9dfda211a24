import type { Mark } from "./lecture.ts";
import type { Gap } from "./recorded-take.ts";

/**
 * Finds the last row whose start `isBefore` a time, for times in ascending order; -1 where none is. Reads each row once.
 */
function createRowFinder(
  rows: readonly { startMs: number }[],
  isBefore: (startMs: number, ms: number) => boolean,
): (ms: number) => number {
  const order = rows
    .map(({ startMs }, position) => ({ startMs, position }))
    .sort((a, b) => a.startMs - b.startMs);
  let last = -1;
  let read = 0;
  return (ms) => {
    for (let row = order[read]; row !== undefined && isBefore(row.startMs, ms); row = order[read]) {
      last = Math.max(last, row.position);
      read += 1;
    }
    return last;
  };
}

function addTo<T>(groups: Map<number, T[]>, position: number, item: T): void {
  const group = groups.get(position);
  if (group) group.push(item);
  else groups.set(position, [item]);
}

/**
 * The marks of each row, by its position, in the order of their times. A mark belongs to the row at its position,
 * or to the last row that begins at or before its time; before the first row, to the first. The summary follows the
 * same rule (`src/server/marks/marked-sentences.ts`).
 */
export function groupMarksByRow(
  marks: readonly Mark[],
  rows: readonly { startMs: number }[],
): Map<number, Mark[]> {
  const groups = new Map<number, Mark[]>();
  if (rows.length === 0) return groups;
  const findRow = createRowFinder(rows, (startMs, ms) => startMs <= ms);
  for (const mark of marks.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1))) {
    const row = mark.position ?? findRow(mark.atMs);
    addTo(groups, Math.min(Math.max(row, 0), rows.length - 1), mark);
  }
  return groups;
}

/** The gaps after each row, by its position: the last row that begins before the gap; -1: before the first row. */
export function groupGapsByRow(
  gaps: readonly Gap[],
  rows: readonly { startMs: number }[],
): Map<number, Gap[]> {
  const groups = new Map<number, Gap[]>();
  const findRow = createRowFinder(rows, (startMs, ms) => startMs < ms);
  for (const gap of gaps.toSorted((a, b) => a.atMs - b.atMs)) addTo(groups, findRow(gap.atMs), gap);
  return groups;
}
