import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
} from "./languages.ts";

/** What is translated: from the language of a sentence into another one. */
export interface TranslationPair {
  sourceLanguage: SpokenLanguage;
  targetLanguage: TranslationLanguage;
}

/** A name for a pair, for example `de>en`. */
export const toPairKey = ({ sourceLanguage, targetLanguage }: TranslationPair): string =>
  `${sourceLanguage}>${targetLanguage}`;

/** What is translated in a lecture, as far as that is known before it is spoken. */
export const listTranslationPairs = (pair: LanguagePair): TranslationPair[] =>
  [pair.sourceLanguage, pair.isTwoWay ? pair.targetLanguage : "none"].flatMap((language) => {
    if (language === "detect" || language === "none") return [];
    const sourceLanguage = toSpokenLanguage(language);
    const targetLanguage = getTranslationLanguage(pair, sourceLanguage);
    return targetLanguage === null ? [] : [{ sourceLanguage, targetLanguage }];
  });

/** The languages of a lecture's summary. `spokenIn`: what was spoken most. */
export function listSummaryLanguages(
  { sourceLanguage, targetLanguage, isTwoWay }: LanguagePair,
  spokenIn: SpokenLanguage,
): [TranslationLanguage, ...TranslationLanguage[]] {
  if (targetLanguage === "none") return [toTranslationLanguage(spokenIn)];
  const first = isTwoWay && sourceLanguage !== "detect" && toTranslationLanguage(sourceLanguage);
  return first && first !== targetLanguage ? [first, targetLanguage] : [targetLanguage];
}
