import type { Mark } from "./lecture.ts";
import type { Gap } from "./recorded-take.ts";

/**
 * Groups `items`, in the order of what `getAt` returns, by the last row whose start `isBefore` that (-1 where none is).
 * Reads each row once.
 */
function groupByRow<T>(
  items: readonly T[],
  getAt: (item: T) => number,
  starts: readonly number[],
  isBefore: (start: number, at: number) => boolean,
): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  /** The latest first. */
  const later = starts.map((start, row) => [start, row] as const).sort(([a], [b]) => b - a);
  let last = -1;
  for (const item of items) {
    for (let next = later.at(-1); next && isBefore(next[0], getAt(item)); next = later.at(-1)) {
      last = Math.max(last, next[1]);
      later.pop();
    }
    const group = groups.get(last) ?? [];
    groups.set(last, group);
    group.push(item);
  }
  return groups;
}

const isUntil = (start: number, at: number): boolean => start <= at;

/**
 * The marks of each row, by its place among `rows`, in the order of their times. A mark belongs to the row whose ordinal it
 * names (the one before, if that is gone), or to the last row that begins at or before its time; before the first row, to
 * the first. The summary follows the same rule (`src/server/marks/marked-sentences.ts`).
 */
export function groupMarksByRow(
  marks: readonly Mark[],
  rows: readonly { startMs: number; ordinal: number }[],
): Map<number, Mark[]> {
  const groups = new Map<number, Mark[]>();
  if (rows.length === 0) return groups;
  const getOrdinal = ({ position }: Mark) => position ?? 0;
  const ordered = marks.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  const timed = ordered.filter(({ position }) => position === null);
  const placed = ordered
    .filter(({ position }) => position !== null)
    .sort((a, b) => getOrdinal(a) - getOrdinal(b));
  const starts = rows.map(({ startMs }) => startMs);
  const ordinals = placed.length > 0 ? rows.map(({ ordinal }) => ordinal) : [];
  for (const [row, found] of [
    ...groupByRow(timed, ({ atMs }) => atMs, starts, isUntil),
    ...groupByRow(placed, getOrdinal, ordinals, isUntil),
  ]) {
    const place = Math.max(row, 0);
    groups.set(place, [...(groups.get(place) ?? []), ...found]);
  }
  return groups;
}

/** The gaps after each row, by its place among `rows`: the last row that begins before the gap; -1: before the first. */
export const groupGapsByRow = (
  gaps: readonly Gap[],
  rows: readonly { startMs: number }[],
): Map<number, Gap[]> =>
  groupByRow(
    gaps.toSorted((a, b) => a.atMs - b.atMs),
    ({ atMs }) => atMs,
    rows.map(({ startMs }) => startMs),
    (start, at) => start < at,
  );
