/** Texts that the specification shows instead of a result. */
export const translationFailed = "[Translation Failed]";
export const noTranslation = "[No translation]";
export const untranslatableFragment = "[Untranslatable fragment]";
export const summaryFailed = "[Summary Failed]";
