import { findCut } from "./join-pieces.ts";
import { entryTextMaxLength } from "./limits.ts";
import { noTranslation } from "./words.ts";

function cutToRows(text: string): string[] {
  const end = findCut(text, entryTextMaxLength);
  return end === text.length ? [text] : [text.slice(0, end), ...cutToRows(text.slice(end))];
}

/** Splits `text` after `terminators`, and where a sentence is too long for a row. */
function splitSentences(text: string, terminators: string): string[] {
  const pattern = new RegExp(`[^${terminators}]*(?:[${terminators}]+|$)`, "gu");
  const sentences = text.match(pattern) ?? [];
  return sentences
    .flatMap(cutToRows)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/**
 * Pairs two texts by position: the original is split at . ! ? and the translation at 。！？.
 * The shorter list is filled with `[No translation]` or empty originals, so that no text is dropped.
 */
export function pairTexts(original: string, translated: string) {
  const originals = splitSentences(original, ".!?");
  const translations = splitSentences(translated, "。！？");
  const length = Math.max(originals.length, translations.length);
  return Array.from({ length }, (_, index) => ({
    original: originals[index] ?? "",
    translated: translations[index] ?? noTranslation,
    speaker: null,
  }));
}
