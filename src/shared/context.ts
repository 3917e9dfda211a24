import { findCut } from "./join-pieces.ts";
import { contextMaxLength, previousContextMaxLength, previousContextWords } from "./limits.ts";
import { listWordStarts } from "./words.ts";

const prefix = "Previous context: ";

/** Rows that are read for them: some may have no words. */
export const rowsReadMax = 2 * previousContextWords;

/** The last 100 words before row `position`, as context for the translator. */
export function previousContext(
  originalAt: (position: number) => string | undefined,
  position: number,
): string {
  const rows: string[] = [];
  let missing = previousContextWords;
  let length = 0;
  const first = Math.max(0, position - rowsReadMax);
  for (let at = position - 1; at >= first && missing > 0; at -= 1) {
    const row = (originalAt(at) ?? "").slice(-previousContextMaxLength);
    const starts = listWordStarts(row).slice(-missing);
    if (starts.length > 0) rows.unshift(row.slice(starts[0]).trim().replaceAll(/\s+/gu, " "));
    missing -= starts.length;
    length += row.length;
    if (length >= previousContextMaxLength) break;
  }
  if (rows.length === 0) return "";
  // A word may be of any length, so that is limited too, without the rest of a letter that the limit has split.
  const text = rows.join(" ").slice(prefix.length - previousContextMaxLength);
  return prefix + text.replace(/^[\udc00-\udfff\p{M}\u200d]+/u, "");
}

/**
 * The beginning of a lecture's Context that is kept and sent. Longer ones are typed elsewhere, or were stored by earlier
 * versions. In JSON it fits into a frame of the relay (16 KiB) and into what Soniox accepts (10,000 characters).
 */
export const truncateContext = (context: string): string =>
  context.slice(0, findCut(context, contextMaxLength));
