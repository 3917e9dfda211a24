import type { Mark } from "./lecture.ts";
import type { Gap } from "./recorded-take.ts";

/**
 * Groups `items`, in the order of their times, by the position that `getPosition` returns for an item and the last row whose
 * start `isBefore` its time (-1 where none is). Reads each row once.
 */
function groupByRow<T extends { atMs: number }>(
  items: readonly T[],
  rows: readonly { startMs: number }[],
  isBefore: (startMs: number, atMs: number) => boolean,
  getPosition: (item: T, row: number) => number,
): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  /** The latest first. */
  const later = rows.map(({ startMs }, row) => [startMs, row] as const).sort(([a], [b]) => b - a);
  let last = -1;
  for (const item of items) {
    for (let next = later.at(-1); next && isBefore(next[0], item.atMs); next = later.at(-1)) {
      last = Math.max(last, next[1]);
      later.pop();
    }
    const position = getPosition(item, last);
    const group = groups.get(position) ?? [];
    groups.set(position, group);
    group.push(item);
  }
  return groups;
}

/**
 * The marks of each row, by its position, in the order of their times. A mark belongs to the row at its position,
 * or to the last row that begins at or before its time; before the first row, to the first. The summary follows the
 * same rule (`src/server/marks/marked-sentences.ts`).
 */
export const groupMarksByRow = (
  marks: readonly Mark[],
  rows: readonly { startMs: number }[],
): Map<number, Mark[]> =>
  rows.length === 0
    ? new Map()
    : groupByRow(
        marks.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1)),
        rows,
        (startMs, atMs) => startMs <= atMs,
        ({ position }, row) => Math.min(Math.max(position ?? row, 0), rows.length - 1),
      );

/** The gaps after each row, by its position: the last row that begins before the gap; -1: before the first row. */
export const groupGapsByRow = (
  gaps: readonly Gap[],
  rows: readonly { startMs: number }[],
): Map<number, Gap[]> =>
  groupByRow(
    gaps.toSorted((a, b) => a.atMs - b.atMs),
    rows,
    (startMs, atMs) => startMs < atMs,
    (_, row) => row,
  );
