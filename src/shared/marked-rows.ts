import type { Mark } from "#shared/lecture.ts";

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
