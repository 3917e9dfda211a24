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
