import type { TranscriptRow } from "#client/realtime/session-types.ts";

export type ShownText = "original" | "translation";

// Constants, because rows render again when they get another array.
export const originalOnly: readonly ShownText[] = ["original"];
const translationOnly: readonly ShownText[] = ["translation"];
const originalFirst: readonly ShownText[] = ["original", "translation"];
const translationFirst: readonly ShownText[] = ["translation", "original"];

/** The texts of every row of a translated lecture, in their order. */
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

/** The words of `row` that are shown, in their order. */
export const getShownWords = (texts: readonly ShownText[], row: TranscriptRow): string[] =>
  getRowTexts(texts, row.translation, false).flatMap((text) => {
    if (text === "original") return [row.original];
    return row.translation === "done" ? [row.translated] : [];
  });

/** The texts of one row. `isSwapped`: it shows its other language in place of the one that is shown. */
export function getRowTexts(
  texts: readonly ShownText[],
  translation: TranscriptRow["translation"],
  isSwapped: boolean,
): readonly ShownText[] {
  if (texts.length > 1) return texts;
  if (translation === "none") return originalOnly;
  return (texts[0] === "original") === isSwapped ? translationOnly : originalOnly;
}
