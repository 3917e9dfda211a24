import { createContext } from "react";
import type { RowBlock } from "#client/lecture/lecture-document.ts";
import { hasTime, parseClock, rowTimePattern } from "#shared/clock-time.ts";

/** Opens the row that a time in the summary names, by the time's seconds. Null where no row can be opened. */
export const OpenRowContext = createContext<((seconds: number) => void) | null>(null);

/** Addresses of links in a summary that open a row. */
const linkStart = "#row-";

/** `text` in Markdown, with a link in place of each time of a row, such as `[12:34]`. Others stay text. */
export function linkRowTimes(text: string, seconds: ReadonlySet<number>): string {
  return text.replace(rowTimePattern, (whole, time: string) =>
    seconds.has(parseClock(time)) ? `[${time}](${linkStart}${parseClock(time)})` : `\\${whole}`,
  );
}

/** Null for the address of something else. */
export const parseRowLink = (href: string): number | null =>
  href.startsWith(linkStart) ? Number(href.slice(linkStart.length)) : null;

/** The times of a lecture's rows in whole seconds; each with the ordinal of the first row that has it. */
export function listRowTimes(blocks: readonly RowBlock[]): Map<number, number> {
  const ordinals = new Map<number, number>();
  for (const { rows } of blocks)
    for (const row of rows) {
      const seconds = Math.floor(row.startMs / 1_000);
      if (hasTime(row) && !ordinals.has(seconds)) ordinals.set(seconds, row.ordinal);
    }
  return ordinals;
}
