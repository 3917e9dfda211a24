/** What is known of a language; `ownName` is its name for itself, `tag` its BCP 47 tag, `script` its ISO 15924 code. */
export interface Language {
  name: string;
  ownName: string;
  tag: string;
  dir: "ltr" | "rtl";
  script: "Latn" | "Cyrl" | "Arab" | "Deva" | "Kore" | "Jpan" | "Hans" | "Hant";
}

const ltr = "ltr" as const;
const spanish = {
  name: "Spanish",
  ownName: "Español",
  tag: "es",
  dir: ltr,
  script: "Latn",
} as const;
const french = {
  name: "French",
  ownName: "Français",
  tag: "fr",
  dir: ltr,
  script: "Latn",
} as const;
const german = { name: "German", ownName: "Deutsch", tag: "de", dir: ltr, script: "Latn" } as const;
const russian = {
  name: "Russian",
  ownName: "Русский",
  tag: "ru",
  dir: ltr,
  script: "Cyrl",
} as const;
const hindi = { name: "Hindi", ownName: "हिन्दी", tag: "hi", dir: ltr, script: "Deva" } as const;
const japanese = {
  name: "Japanese",
  ownName: "日本語",
  tag: "ja",
  dir: ltr,
  script: "Jpan",
} as const;
const korean = { name: "Korean", ownName: "한국어", tag: "ko", dir: ltr, script: "Kore" } as const;
const arabic = {
  name: "Arabic",
  ownName: "العربية",
  tag: "ar",
  dir: "rtl",
  script: "Arab",
} as const;

/** Languages of speech by code, as far as there are rules for their text. */
export const spokenLanguages = {
  en: { name: "English", ownName: "English", tag: "en", dir: ltr, script: "Latn" },
  de: german,
  fr: french,
  es: spanish,
  it: { name: "Italian", ownName: "Italiano", tag: "it", dir: ltr, script: "Latn" },
  pt: { name: "Portuguese", ownName: "Português", tag: "pt", dir: ltr, script: "Latn" },
  ru: russian,
  ja: japanese,
  zh: { name: "Chinese", ownName: "中文", tag: "zh", dir: ltr, script: "Hans" },
  ko: korean,
  ar: arabic,
  hi: hindi,
} as const satisfies Record<string, Language>;
export type SpokenLanguage = keyof typeof spokenLanguages;

/** Translation languages by code. */
export const languages = {
  es: spanish,
  zh: {
    name: "Traditional Chinese",
    ownName: "繁體中文",
    tag: "zh-Hant",
    dir: ltr,
    script: "Hant",
  },
  "zh-cn": {
    name: "Simplified Chinese",
    ownName: "简体中文",
    tag: "zh-Hans",
    dir: ltr,
    script: "Hans",
  },
  fr: french,
  de: german,
  ru: russian,
  hi: hindi,
  ja: japanese,
  ko: korean,
  ar: arabic,
} as const satisfies Record<string, Language>;

/** A language that text is translated into. */
export type TranslationLanguage = keyof typeof languages;

/** Whether words of a language, given by its code or tag, are written with spaces between them. */
export const hasSpaces = (language: string): boolean => !/^(?:ja|zh)/.test(language);

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
