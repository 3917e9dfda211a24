import * as z from "zod/mini";
import { entryTextMaxLength } from "../../../shared/limits.ts";
import { noTranslation } from "../../../shared/sentinels.ts";

/** A pair of texts as a lecture's combined content holds it. */
export interface CombinedEntry {
  english: string;
  translated: string;
  speaker: string | null;
}

const combinedEntry = z.object({
  english: z.string(),
  translated: z.string(),
  speaker: z.optional(z.nullable(z.string())),
});

/** The valid entries of `combined` (only those with string `english` and `translated`), in order. */
export function validEntries(combined: unknown): CombinedEntry[] {
  if (!Array.isArray(combined)) return [];
  return combined.flatMap((entry: unknown) => {
    const parsed = combinedEntry.safeParse(entry);
    if (!parsed.success) return [];
    return [{ ...parsed.data, speaker: parsed.data.speaker ?? null }];
  });
}

/** As much as a row can be saved with, whatever the characters: each may count twice. */
const piece = new RegExp(`[^]{1,${entryTextMaxLength / 2}}`, "gu");

/**
 * The sentences of `text`; each ends with its run of `terminators`, or where it is too long for a row.
 * Blank ones are left out.
 */
function split(text: string, terminators: string): string[] {
  const pattern = new RegExp(`[^${terminators}]*(?:[${terminators}]+|$)`, "gu");
  const sentences = text.match(pattern) ?? [];
  return sentences
    .flatMap((sentence) => sentence.match(piece) ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Pairs two texts by position: the original is split at . ! ? and the translation at 。！？.
 * A side that runs out is filled with `[No translation]` (translation) or left empty (original), so
 * that nothing of either text is dropped.
 */
export function pairTexts(original: string, translated: string): CombinedEntry[] {
  const english = split(original, ".!?");
  const translations = split(translated, "。！？");
  const length = Math.max(english.length, translations.length);
  return Array.from({ length }, (_, index) => ({
    english: english[index] ?? "",
    translated: translations[index] ?? noTranslation,
    speaker: null,
  }));
}

/** A lecture's content as pairs: its combined entries when any is valid, otherwise its texts paired. */
export function pairLecture(
  combined: unknown,
  original: string,
  translated: string,
): CombinedEntry[] {
  const entries = validEntries(combined);
  return entries.length > 0 ? entries : pairTexts(original, translated);
}
