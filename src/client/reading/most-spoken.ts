import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import {
  defaultSourceLanguage,
  isTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";

type Rows = readonly Pick<TranscriptRow, "spokenIn">[];

/** The language of most of `rows`. */
export function findMostSpoken(rows: Rows): SpokenLanguage {
  const counts = new Map<SpokenLanguage, number>();
  for (const { spokenIn } of rows) counts.set(spokenIn, (counts.get(spokenIn) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? defaultSourceLanguage;
}

/** The languages in which a model can write about `rows`: that of the translations, and what was spoken. */
export function listAnswerLanguages(
  { sourceLanguage, targetLanguage, isTwoWay }: LanguagePair,
  rows: Rows,
): TranslationLanguage[] {
  const spoken = isTwoWay && sourceLanguage !== "detect" ? sourceLanguage : findMostSpoken(rows);
  const target = isTranslationLanguage(targetLanguage) ? [targetLanguage] : [];
  return [...new Set([...target, toTranslationLanguage(spoken)])];
}
