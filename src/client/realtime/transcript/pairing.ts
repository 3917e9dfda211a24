import { entryTextMaxLength } from "#shared/limits.ts";
import { noTranslation } from "#shared/sentinels.ts";

/** A piece of a lecture's text with the piece of its translation at the same place. */
interface TextPair {
  english: string;
  translated: string;
  speaker: null;
}

/** As much as a row can be saved with, whatever the characters: each may count twice. */
const maxPiece = new RegExp(`[^]{1,${entryTextMaxLength / 2}}`, "gu");

/** The sentences of `text`, cut behind `terminators` and where one is too long for a row. */
function splitSentences(text: string, terminators: string): string[] {
  const pattern = new RegExp(`[^${terminators}]*(?:[${terminators}]+|$)`, "gu");
  const sentences = text.match(pattern) ?? [];
  return sentences
    .flatMap((sentence) => sentence.match(maxPiece) ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Pairs two texts by position: the original is split at . ! ? and the translation at 。！？.
 * A side that runs out is filled with `[No translation]` (translation) or left empty (original), so
 * that nothing of either text is dropped.
 */
export function pairTexts(original: string, translated: string): TextPair[] {
  const english = splitSentences(original, ".!?");
  const translations = splitSentences(translated, "。！？");
  const length = Math.max(english.length, translations.length);
  return Array.from({ length }, (_, index) => ({
    english: english[index] ?? "",
    translated: translations[index] ?? noTranslation,
    speaker: null,
  }));
}
