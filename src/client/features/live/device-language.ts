import { safeStorage } from "#client/lib/storage.ts";
import {
  defaultSourceLanguage,
  getTranslationTag,
  isTargetLanguage,
  type LanguagePair,
  type TargetLanguage,
  type TranslationLanguage,
  toTranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";

const storageKey = "readerLanguage";

/** Where Chinese is written in traditional characters. */
const traditional = /^zh-(hant|tw|hk|mo)\b/i;

/**
 * The language in which somebody reads a lecture in `pair` whose device is set to `tags` (BCP 47, the preferred one
 * first): the first one that lectures are translated into; `none` where all is spoken in it.
 */
export function toReadingLanguage(tags: readonly string[], pair: LanguagePair): TargetLanguage {
  const found = tags.map(findLanguage).find((language) => language !== undefined) ?? "none";
  return found === getOnlyLanguage(pair) ? "none" : found;
}

/** Devices call these languages otherwise. */
const otherCodes: Readonly<Record<string, string>> = { nb: "no", nn: "no", fil: "tl" };

/** In which everything is said; null where several languages may be spoken. */
export const getOnlyLanguage = ({ sourceLanguage, isTwoWay }: LanguagePair) =>
  isTwoWay || sourceLanguage === "detect" ? null : toTranslationLanguage(sourceLanguage);

function findLanguage(tag: string): TranslationLanguage | undefined {
  const [name = ""] = tag.toLowerCase().split("-");
  const code = otherCodes[name] ?? name;
  if (code === "zh") return traditional.test(tag) ? "zh" : "zh-cn";
  return translationLanguages.find((language) => getTranslationTag(language) === code);
}

/** Before the lecture is known, as of one in English. */
const firstPair: LanguagePair = {
  sourceLanguage: defaultSourceLanguage,
  targetLanguage: "none",
  isTwoWay: false,
};

/** What this device reads a lecture in. */
export function getReaderLanguage(pair = firstPair): TargetLanguage {
  const stored = safeStorage.get(storageKey);
  return isTargetLanguage(stored) ? stored : toReadingLanguage(navigator.languages, pair);
}

export const storeReaderLanguage = (language: TargetLanguage): void =>
  safeStorage.set(storageKey, language);
