import { safeStorage } from "#client/lib/storage.ts";
import {
  getTranslationTag,
  isTargetLanguage,
  type TargetLanguage,
  translationLanguages,
} from "#shared/languages.ts";

const storageKey = "readerLanguage";

/** Where Chinese is written in traditional characters. */
const traditional = /^zh-(hant|tw|hk|mo)\b/i;

/**
 * The language in which somebody reads whose device is set to `tags` (BCP 47, the preferred one first): the first one
 * that is spoken in the lecture or that lectures are translated into.
 */
export function toReadingLanguage(tags: readonly string[]): TargetLanguage {
  for (const tag of tags) {
    const [code = ""] = tag.toLowerCase().split("-");
    if (code === "en") return "none";
    if (code === "zh") return traditional.test(tag) ? "zh" : "zh-cn";
    const found = translationLanguages.find((language) => getTranslationTag(language) === code);
    if (found) return found;
  }
  return "none";
}

/** What this device reads in. */
export function getReaderLanguage(): TargetLanguage {
  const stored = safeStorage.get(storageKey);
  return isTargetLanguage(stored) ? stored : toReadingLanguage(navigator.languages);
}

export const storeReaderLanguage = (language: TargetLanguage): void =>
  safeStorage.set(storageKey, language);
