import type { Gap } from "./recorded-take.ts";

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
