import { autoTitleLength } from "#shared/limits.ts";

const date = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
});
const timeOfDay = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

/** Intl puts a no-break space before AM; titles use plain spaces, so that search finds them. */
const replaceNoBreakSpaces = (text: string) => text.replace(/[\u00a0\u202f]/gu, " ");

/** Title of a new draft, in local time: `Nov 20, 2026 9:02 AM`. */
export function formatDraftTitle(now: number): string {
  return replaceNoBreakSpaces(`${date.format(now)} ${timeOfDay.format(now)}`);
}

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
  return replaceNoBreakSpaces(`Lecture ${date.format(now)}`);
}
