import {
  isTranslationLanguage,
  type LanguagePair,
  type SourceLanguage,
  type SpokenLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";

/** The languages in which a take is recognised, whatever its lecture's are later. */
export interface TakeLanguages {
  language: SourceLanguage;
  /** A second language that is spoken. */
  secondLanguage: SpokenLanguage | null;
}

/** Those of a take that begins in a lecture with these languages. */
export function getTakeLanguages(pair: LanguagePair): TakeLanguages {
  const { sourceLanguage: language, targetLanguage, isTwoWay } = pair;
  const hasSecond = isTwoWay && isTranslationLanguage(targetLanguage);
  const second = hasSecond ? toSpokenLanguage(targetLanguage) : language;
  return { language, secondLanguage: second === language || second === "detect" ? null : second };
}
