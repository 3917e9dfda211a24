/** Translation languages by code; `ownName` is the language's name for itself, `tag` its BCP 47 tag. */
export const languages = {
  es: { name: "Spanish", ownName: "Español", tag: "es", dir: "ltr" },
  zh: { name: "Traditional Chinese", ownName: "繁體中文", tag: "zh-Hant", dir: "ltr" },
  "zh-cn": { name: "Simplified Chinese", ownName: "简体中文", tag: "zh-Hans", dir: "ltr" },
  fr: { name: "French", ownName: "Français", tag: "fr", dir: "ltr" },
  de: { name: "German", ownName: "Deutsch", tag: "de", dir: "ltr" },
  ru: { name: "Russian", ownName: "Русский", tag: "ru", dir: "ltr" },
  hi: { name: "Hindi", ownName: "हिन्दी", tag: "hi", dir: "ltr" },
  ja: { name: "Japanese", ownName: "日本語", tag: "ja", dir: "ltr" },
  ko: { name: "Korean", ownName: "한국어", tag: "ko", dir: "ltr" },
  ar: { name: "Arabic", ownName: "العربية", tag: "ar", dir: "rtl" },
} as const;

/** A language that text is translated into. */
export type TranslationLanguage = keyof typeof languages;

/** A value of the language selector: a translation language, or `none` for no translation. */
export type TargetLanguage = TranslationLanguage | "none";

export const translationLanguages = Object.keys(languages) as [
  TranslationLanguage,
  ...TranslationLanguage[],
];
export const targetLanguages: [TargetLanguage, ...TargetLanguage[]] = [
  "none",
  ...translationLanguages,
];
export const defaultTargetLanguage: TargetLanguage = "zh-cn";

export function isTargetLanguage(value: unknown): value is TargetLanguage {
  return typeof value === "string" && (value === "none" || Object.hasOwn(languages, value));
}

export const isTranslationLanguage = (value: TargetLanguage): value is TranslationLanguage =>
  value !== "none";

/** Languages in which speech is recognised. */
export const sourceLanguages = ["en"] as const;
export type SourceLanguage = (typeof sourceLanguages)[number];
export const defaultSourceLanguage: SourceLanguage = "en";

export const isSourceLanguage = (value: unknown): value is SourceLanguage =>
  sourceLanguages.some((language) => language === value);
