import type { Mark } from "./lecture.ts";
import type { Gap } from "./recorded-take.ts";

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
  for (const mark of marks.toSorted((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1))) {
    const row = mark.position ?? rows.findLastIndex(({ startMs }) => startMs <= mark.atMs);
    const position = Math.min(Math.max(row, 0), rows.length - 1);
    groups.set(position, [...(groups.get(position) ?? []), mark]);
  }
  return groups;
}

/** The gaps after each row, by its position: the last row that begins before the gap; -1: before the first row. */
export function groupGapsByRow(
  gaps: readonly Gap[],
  rows: readonly { startMs: number }[],
): Map<number, Gap[]> {
  const groups = new Map<number, Gap[]>();
  for (const gap of gaps.toSorted((a, b) => a.atMs - b.atMs)) {
    const position = rows.findLastIndex(({ startMs }) => startMs < gap.atMs);
    groups.set(position, [...(groups.get(position) ?? []), gap]);
  }
  return groups;
}
