import type { TranscriptRow } from "#client/realtime/session-types.ts";

export type ShownText = "english" | "translation";

// Constants, because rows render again when they get another array.
export const englishOnly: readonly ShownText[] = ["english"];
const translationOnly: readonly ShownText[] = ["translation"];
const englishFirst: readonly ShownText[] = ["english", "translation"];
const translationFirst: readonly ShownText[] = ["translation", "english"];

/** The texts of every row of a translated lecture, in their order. */
export function getShownTexts(
  mode: "both" | ShownText,
  isTranslationFirst: boolean,
): readonly ShownText[] {
  switch (mode) {
    case "english":
      return englishOnly;
    case "translation":
      return translationOnly;
    case "both":
      return isTranslationFirst ? translationFirst : englishFirst;
  }
}

/** The words of `row` that are shown, in their order. */
export const getShownWords = (texts: readonly ShownText[], row: TranscriptRow): string[] =>
  getRowTexts(texts, row.translation, false).flatMap((text) => {
    if (text === "english") return [row.english];
    return row.translation === "done" ? [row.translated] : [];
  });

/** The texts of one row. `isSwapped`: it shows its other language in place of the one that is shown. */
export function getRowTexts(
  texts: readonly ShownText[],
  translation: TranscriptRow["translation"],
  isSwapped: boolean,
): readonly ShownText[] {
  if (texts.length > 1) return texts;
  if (translation === "none") return englishOnly;
  return (texts[0] === "english") === isSwapped ? translationOnly : englishOnly;
}
