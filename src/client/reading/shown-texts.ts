import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { isSecondLanguage, type LanguagePair } from "#shared/languages.ts";

/** One of a row's texts. Of the page, a column: in a two-way lecture the first language's, or the second one's. */
export type ShownText = "original" | "translation";

// Constants, because rows render again when they get another array.
export const originalOnly: readonly ShownText[] = ["original"];
const translationOnly: readonly ShownText[] = ["translation"];
const originalFirst: readonly ShownText[] = ["original", "translation"];
const translationFirst: readonly ShownText[] = ["translation", "original"];

/** The columns of a translated lecture, in their order. */
export function getShownTexts(
  mode: "both" | ShownText,
  isTranslationFirst: boolean,
): readonly ShownText[] {
  switch (mode) {
    case "original":
      return originalOnly;
    case "translation":
      return translationOnly;
    case "both":
      return isTranslationFirst ? translationFirst : originalFirst;
  }
}

type Row = Pick<TranscriptRow, "spokenIn" | "translation">;

/** The words of `row` that are shown, in their order. */
export const getShownWords = (
  texts: readonly ShownText[],
  row: TranscriptRow,
  pair: LanguagePair,
): string[] =>
  getRowTexts(texts, row, pair, false).flatMap((text) => {
    if (text === "original") return [row.original];
    return row.translation === "done" ? [row.translated] : [];
  });

/**
 * The texts of one row where the page shows the columns `texts`. Of two, they are in the order that they have below each
 * other: `isSecondLanguage` says that they stand in each other's column. `isSwapped`: the row shows its other language in
 * place of the one that is shown.
 */
export function getRowTexts(
  texts: readonly ShownText[],
  row: Row,
  pair: LanguagePair,
  isSwapped: boolean,
): readonly ShownText[] {
  if (texts.length > 1) return texts;
  if (row.translation === "none") return originalOnly;
  const isOther = isSecondLanguage(pair, row.spokenIn) !== isSwapped;
  return (texts[0] === "original") === isOther ? translationOnly : originalOnly;
}

/** Whether the page shows only the translation of `row`. */
export const isTranslationOnly = (
  texts: readonly ShownText[],
  row: TranscriptRow,
  pair: LanguagePair,
): boolean => getRowTexts(texts, row, pair, false)[0] === "translation" && texts.length === 1;

/** What a swapped row is remembered by: its times, because rows that are merged in before it move it. */
export const getSwapKey = ({ position, startMs, endMs }: TranscriptRow): string =>
  endMs === 0 ? `${position}` : `${startMs}-${endMs}`;
