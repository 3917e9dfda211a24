import { languages } from "./languages.ts";

interface Language {
  name: string;
  /** The language's name for itself. */
  ownName: string;
  /** BCP 47. */
  tag: string;
  dir: "ltr" | "rtl";
  /** ISO 15924. */
  script: "Latn" | "Cyrl" | "Arab" | "Deva" | "Kore" | "Jpan" | "Hans";
}

/** Languages of speech by code, as far as there are rules for their text. A module of its own, as few pages need it. */
export const spokenLanguages = {
  en: { name: "English", ownName: "English", tag: "en", dir: "ltr", script: "Latn" },
  de: { ...languages.de, script: "Latn" },
  fr: { ...languages.fr, script: "Latn" },
  es: { ...languages.es, script: "Latn" },
  it: { name: "Italian", ownName: "Italiano", tag: "it", dir: "ltr", script: "Latn" },
  pt: { name: "Portuguese", ownName: "Português", tag: "pt", dir: "ltr", script: "Latn" },
  ru: { ...languages.ru, script: "Cyrl" },
  ja: { ...languages.ja, script: "Jpan" },
  zh: { name: "Chinese", ownName: "中文", tag: "zh", dir: "ltr", script: "Hans" },
  ko: { ...languages.ko, script: "Kore" },
  ar: { ...languages.ar, script: "Arab" },
  hi: { ...languages.hi, script: "Deva" },
} as const satisfies Record<string, Language>;

export type SpokenLanguage = keyof typeof spokenLanguages;
export type Script = Language["script"];
