import { getDirection } from "#shared/languages.ts";

/** The attributes of an element whose text is in the language with the BCP 47 `tag`. */
export const getTextLanguage = (tag: string): { lang: string; dir: "ltr" | "rtl" } => ({
  lang: tag,
  dir: getDirection(tag),
});
