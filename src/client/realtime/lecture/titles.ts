import { autoTitleLength } from "#shared/limits.ts";

const date = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  year: "numeric",
});
const timeOfDay = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

/** Intl puts a narrow no-break space before AM; a title is plain text that people search for. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/gu, " ");

/** Title of a new draft, in local time: `Nov 20, 2026 9:02 AM`. */
export function formatDraftTitle(now: number): string {
  return plain(`${date.format(now)} ${timeOfDay.format(now)}`);
}

/**
 * The name a lecture is saved under: what was typed; else the first 50 characters of the English
 * text (with `...` when there is more); else the title it has; else `Lecture` and the date.
 */
export function formatSavedTitle(
  typed: string,
  english: string,
  existing: string | null,
  now: number,
): string {
  if (typed.trim() !== "") return typed.trim();
  const text = english.trim();
  if (text !== "") {
    // By code point: a surrogate pair must not be cut in half.
    const characters = Array.from(text);
    const start = characters.slice(0, autoTitleLength).join("").trim();
    return characters.length > autoTitleLength ? `${start}...` : start;
  }
  if (existing !== null && existing.trim() !== "") return existing.trim();
  return plain(`Lecture ${date.format(now)}`);
}
