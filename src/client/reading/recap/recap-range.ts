import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import type { Mark } from "#shared/lecture.ts";

/** What a recap is about: the last minutes, or what was said since a time on the lecture's clock. */
export type RecapRange =
  | { kind: "minutes"; minutes: number }
  | { kind: "mark" | "away"; sinceMs: number };

export const recapMinutes = [3, 5, 10] as const;
export const firstRange: RecapRange = { kind: "minutes", minutes: 5 };

export const isSameRange = (one: RecapRange, other: RecapRange): boolean =>
  one.kind === other.kind &&
  (one.kind !== "minutes" || other.kind !== "minutes" || one.minutes === other.minutes);

/** The rows of `range`, in their order. Minutes are counted back from the last words. Rows without a time are in none. */
export function selectRows(rows: readonly TranscriptRow[], range: RecapRange): TranscriptRow[] {
  const timed = rows.filter(({ original, endMs }) => endMs > 0 && original.trim() !== "");
  const sinceMs =
    range.kind === "minutes"
      ? timed.reduce((last, { endMs }) => Math.max(last, endMs), 0) - range.minutes * 60_000
      : range.sinceMs;
  return timed.filter(({ endMs }) => endMs > sinceMs);
}

/** The time of the last mark; null without one. */
export const findLastMarkMs = (marks: readonly Mark[]): number | null =>
  marks.reduce<number | null>((last, { atMs }) => Math.max(last ?? 0, atMs), null);

/** A page that is not looked at while its lecture is recorded. */
export interface Absence {
  /** When it was looked at last, ms on the lecture's clock. */
  sinceMs: number;
  /** Rows that there were then. */
  rows: number;
}
