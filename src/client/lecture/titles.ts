import { autoTitleLength } from "#shared/limits.ts";

const date = { month: "short", day: "numeric", year: "numeric" } as const;
const timeOfDay = { hour: "numeric", minute: "2-digit" } as const;

/** Intl puts a no-break space before AM; titles use plain spaces, so that search finds them. */
const format = (now: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", options).format(now).replace(/[\u00a0\u202f]/gu, " ");

/** Title of a new draft, in local time: `Nov 20, 2026 9:02 AM`. */
export const formatDraftTitle = (now: number): string =>
  `${format(now, date)} ${format(now, timeOfDay)}`;

/**
 * The title a lecture is completed under: what was entered; else the first 50 characters of the English
 * text (with `...` when there is more); else the current title; else `Lecture` and the date.
 */
export function formatSavedTitle(
  entered: string,
  original: string,
  existing: string | null,
  now: number,
): string {
  if (entered.trim() !== "") return entered.trim();
  const text = original.trim();
  if (text !== "") {
    // By code point: a surrogate pair must not be cut in half.
    const characters = Array.from(text);
    const start = characters.slice(0, autoTitleLength).join("").trim();
    return characters.length > autoTitleLength ? `${start}...` : start;
  }
  if (existing !== null && existing.trim() !== "") return existing.trim();
  return `Lecture ${format(now, date)}`;
}
