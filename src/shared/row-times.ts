import { formatClock } from "./clock-time.ts";

/** Times of rows in a text that a model reads, and in a summary that cites them: `[12:34]`, on the lecture's clock. */

export const formatRowTime = (startMs: number): string => `[${formatClock(startMs / 1_000)}]`;

/** A row's time; its first group is without the brackets. */
export const rowTimePattern = /\[(\d{1,3}(?::\d{2}){1,2})\]/g;

/** False for rows such as those imported from a text file, which have 0 in both. */
export const hasTime = ({ startMs, endMs }: { startMs: number; endMs: number }): boolean =>
  startMs > 0 || endMs > 0;
