/**
 * Languages in which speech is recognised, each by its BCP 47 code: those of Soniox, which recognises most.
 *
 * Source: https://soniox.com/docs/stt/concepts/supported-languages (2026-11-25)
 */
export const spokenLanguages = [
  ...(["en", "de", "fr", "es", "it", "pt", "ru", "ja", "zh", "ko", "ar", "hi"] as const),
  ...(["af", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "el", "et"] as const),
  ...(["eu", "fa", "fi", "gl", "gu", "he", "hr", "hu", "id", "kk", "kn", "lt"] as const),
  ...(["lv", "mk", "ml", "mr", "ms", "nl", "no", "pa", "pl", "ro", "sk", "sl"] as const),
  ...(["sq", "sr", "sv", "sw", "ta", "te", "th", "tl", "tr", "uk", "ur", "vi"] as const),
] as const;
export type SpokenLanguage = (typeof spokenLanguages)[number];

/** Languages without marks at the ends of sentences. */
export const unmarkedLanguages: readonly SpokenLanguage[] = ["th"];

/** What is spoken in a lecture: a language, or whichever the service finds. */
export const sourceLanguages = [...spokenLanguages, "detect"] as const;
export type SourceLanguage = (typeof sourceLanguages)[number];
export const defaultSourceLanguage = "en";

/** Chinese has a code for each of its scripts: `zh` is traditional, `zh-cn` simplified. */
type ChineseTranslation = "zh" | "zh-cn";
/** A language that text is translated into. */
export type TranslationLanguage = Exclude<SpokenLanguage, "zh"> | ChineseTranslation;
/** A value of the language selector: a translation language, or `none` for no translation. */
export type TargetLanguage = TranslationLanguage | "none";

// The order of the database's enum: new ones come last.
const firstTranslationLanguages: TranslationLanguage[] = [
  ...(["es", "zh", "zh-cn", "fr", "de", "ru", "hi", "ja", "ko", "ar"] as const),
];
export const translationLanguages = [
  ...firstTranslationLanguages,
  ...spokenLanguages.filter(
    (language) => !(firstTranslationLanguages as readonly string[]).includes(language),
  ),
] as [TranslationLanguage, ...TranslationLanguage[]];
export const targetLanguages: [TargetLanguage, ...TargetLanguage[]] = [
  "none",
  ...translationLanguages,
];
export const defaultTargetLanguage: TargetLanguage = "zh-cn";

const isOneOf =
  <T extends string>(values: readonly T[]) =>
  (value: unknown): value is T =>
    values.includes(value as T);
export const isTargetLanguage = isOneOf(targetLanguages);
export const isTranslationLanguage = isOneOf(translationLanguages);
export const isSpokenLanguage = isOneOf(spokenLanguages);
export const isSourceLanguage = isOneOf(sourceLanguages);

/** The BCP 47 tag of a translation. Of speech, the language's code is the tag. */
export const getTranslationTag = (language: TranslationLanguage): string =>
  language === "zh" ? "zh-Hant" : language === "zh-cn" ? "zh-Hans" : language;

/** The language of translations in which speech in `language` is written. */
export const toTranslationLanguage = (language: SpokenLanguage): TranslationLanguage =>
  language === "zh" ? "zh-cn" : language;

export const toSpokenLanguage = (language: SpokenLanguage | TranslationLanguage): SpokenLanguage =>
  language === "zh-cn" ? "zh" : language;

export const getDirection = (tag: string): "ltr" | "rtl" =>
  /^(?:ar|fa|he|ur)\b/.test(tag) ? "rtl" : "ltr";

/** Names of the two languages that most lectures have. The browser's own table takes a phone 100 ms when it is first used. */
const frequentNames: Readonly<Record<string, string>> = {
  "en in en": "English",
  "en in zh": "英语",
  "zh-Hans in en": "Simplified Chinese",
  "zh-Hans in zh": "简体中文",
  "zh-Hans in zh-Hans": "简体中文",
};

/** The name of the language with `tag` in the language with the tag `inLanguage`, as at the beginning of a line. */
export function getLanguageName(tag: string, inLanguage: string): string {
  const frequentName = frequentNames[`${tag} in ${inLanguage}`];
  if (frequentName !== undefined) return frequentName;
  const name = new Intl.DisplayNames([inLanguage], { type: "language" }).of(tag) ?? tag;
  const [first = ""] = name;
  return first.toLocaleUpperCase(inLanguage) + name.slice(first.length);
}

/** The languages of a lecture. */
export interface LanguagePair {
  sourceLanguage: SourceLanguage;
  targetLanguage: TargetLanguage;
  /** Both languages are spoken, and each sentence is translated into the other one. */
  isTwoWay: boolean;
}

/** Whether both languages of a pair can be spoken: they are known and differ. */
export const canBeTwoWay = (
  pair: LanguagePair,
): pair is LanguagePair & { sourceLanguage: SpokenLanguage; targetLanguage: TranslationLanguage } =>
  pair.sourceLanguage !== "detect" &&
  isTranslationLanguage(pair.targetLanguage) &&
  toSpokenLanguage(pair.targetLanguage) !== pair.sourceLanguage;

/** Whether text in `target` is what speech in `spokenIn` is written in already. */
export const isSameLanguage = (spokenIn: SpokenLanguage, target: TargetLanguage): boolean =>
  toTranslationLanguage(spokenIn) === target;

/** The language that a sentence in `spokenIn` is translated into; null: it is not translated. */
export function getTranslationLanguage(
  pair: LanguagePair,
  spokenIn: SpokenLanguage,
): TranslationLanguage | null {
  const { sourceLanguage, targetLanguage } = pair;
  if (targetLanguage === "none") return null;
  const into =
    isSecondLanguage(pair, spokenIn) && sourceLanguage !== "detect"
      ? toTranslationLanguage(sourceLanguage)
      : targetLanguage;
  return isSameLanguage(spokenIn, into) ? null : into;
}

/** Whether a sentence in `spokenIn` stands in the translations' column: it is in the pair's second language. */
export const isSecondLanguage = (
  { sourceLanguage, targetLanguage, isTwoWay }: LanguagePair,
  spokenIn: SpokenLanguage,
): boolean =>
  isTwoWay &&
  targetLanguage !== "none" &&
  spokenIn === toSpokenLanguage(targetLanguage) &&
  spokenIn !== sourceLanguage;

/**
 * The attributes of an element whose text is of a lecture, in the language with the BCP 47 `tag`. A browser that translates
 * the page leaves it: it changes while somebody speaks, and its translation stands beside it.
 */
export const getTextLanguage = (
  tag: string,
): { lang: string; dir: "ltr" | "rtl"; translate: "no" } => ({
  lang: tag,
  dir: getDirection(tag),
  translate: "no",
});

/** The same where the language is not known. */
export const unknownTextLanguage = { lang: "", dir: "auto", translate: "no" } as const;

/** Languages that the sample lecture is translated into. A module of its own, because its text is loaded later. */
const sampleLanguages = ["es", "zh", "zh-cn", "fr", "de", "ru", "hi", "ja", "ko", "ar"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** The language in which the sample is shown beside its English; null: it is not translated into `target`. */
export const findSampleLanguage = (target: TargetLanguage): SampleLanguage | null =>
  sampleLanguages.find((language) => language === target) ?? null;
