/** Texts that stand in place of a result. They are stored or displayed as they are. */
export const translationFailed = "[Translation Failed]";
export const noTranslation = "[No translation]";
export const untranslatableFragment = "[Untranslatable fragment]";
export const summaryFailed = "[Summary Failed]";
