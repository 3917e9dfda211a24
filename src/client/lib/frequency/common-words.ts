import type { SpokenLanguage } from "#shared/languages.ts";
import commonWords from "./common-words.json";

/** The words of a language that are in every text, in lower case; none of languages without a list. */
export const readCommonWords = (language: SpokenLanguage): ReadonlySet<string> =>
  new Set(new Map<string, string>(Object.entries(commonWords)).get(language)?.split(" "));
