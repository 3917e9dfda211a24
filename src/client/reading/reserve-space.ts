import {
  getTranslationTag,
  type SpokenLanguage,
  type TranslationLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";

/**
 * Characters of a text in each language for each character of the English one: of all 1,997 sentences of NTREX-128
 * (Federmann et al. 2022, newstest2019), translated from English by people.
 */
const relativeLengths: Record<TranslationLanguage, number> = {
  en: 1,
  de: 1.19,
  fr: 1.18,
  es: 1.16,
  it: 1.17,
  pt: 1.07,
  ru: 1.11,
  ja: 0.45,
  zh: 0.37,
  "zh-cn": 0.34,
  ko: 0.54,
  ar: 0.93,
  hi: 1.06,
  af: 1.08,
  az: 1.09,
  be: 1.03,
  bg: 1.09,
  bn: 0.98,
  bs: 1.03,
  ca: 1.14,
  cs: 0.97,
  cy: 1.08,
  da: 1.02,
  el: 1.21,
  et: 0.99,
  eu: 1.11,
  fa: 0.98,
  fi: 1.09,
  gl: 1.1,
  gu: 0.99,
  he: 0.81,
  hr: 1.03,
  hu: 1.12,
  id: 1.16,
  kk: 1.05,
  kn: 1.07,
  lt: 1.05,
  lv: 1.08,
  mk: 1.08,
  ml: 1.23,
  mr: 1.05,
  ms: 1.12,
  nl: 1.18,
  no: 1.02,
  pa: 1.01,
  pl: 1.12,
  ro: 1.18,
  sk: 1.02,
  sl: 1.02,
  sq: 1.14,
  sr: 1.02,
  sv: 1.02,
  sw: 1.1,
  ta: 1.25,
  te: 1,
  th: 0.96,
  tl: 1.18,
  tr: 1.07,
  uk: 1.06,
  ur: 1,
  vi: 1.09,
};

/** Below this length a language has a character for a syllable or a word. */
const syllabicMax = 0.6;

/**
 * How much longer than usual a translation may become, and the characters that are added because short sentences grow
 * most; both where each character is a letter, and where it is a syllable. With these, at 46 Latin or 23 Chinese
 * characters a line, 94 to 99 % of those sentences need no more lines than are reserved, from each language into each
 * other one (98.5 % on average), and on average they need 0.8 lines fewer.
 */
const growth = { letters: { spread: 1.22, extra: 8 }, syllables: { spread: 1.3, extra: 6 } };

const getGrowth = (language: TranslationLanguage) =>
  growth[relativeLengths[language] < syllabicMax ? "syllables" : "letters"];

/** Text of the usual width, with only letters that every such font has: of a language, or else of its script. */
const samples: Readonly<Record<string, string>> = {
  en: "sentence ",
  fr: "phrase ",
  de: "Wortfolge ",
  Latn: "palabra ",
  Cyrl: "перевод ",
  Grek: "λέξεις ",
  Arab: "ترجمة ",
  Hebr: "מילים ",
  Thai: "คำแปลไทย",
  Kore: "번역문 ",
  Jpan: "訳",
  Hans: "译",
  Hant: "譯",
  Deva: "अनुवाद ",
  Beng: "অনুবাদ ",
  Gujr: "અનુવાદ ",
  Guru: "ਅਨੁਵਾਦ ",
  Knda: "ಅನುವಾದ ",
  Mlym: "വിവർത്തനം ",
  Taml: "மொழிபெயர்ப்பு ",
  Telu: "అనువాదం ",
};

function fillSample(language: TranslationLanguage, length: number): string {
  const { script = "" } = new Intl.Locale(getTranslationTag(language)).maximize();
  const sample = samples[language] ?? samples[script] ?? samples.Latn ?? "";
  return sample.repeat(Math.ceil(length / sample.length)).slice(0, Math.ceil(length));
}

/** A text that is as long as the translation of `original` usually becomes at most. */
export function estimateTranslation(
  original: string,
  spokenIn: SpokenLanguage,
  language: TranslationLanguage,
): string {
  if (original === "") return "";
  const source = toTranslationLanguage(spokenIn);
  const ratio = relativeLengths[language] / relativeLengths[source];
  const length = Math.ceil(original.length * ratio * getGrowth(source).spread);
  return fillSample(language, length + getGrowth(language).extra);
}

/** Characters of English for which the live line has space: at first, and in a sentence that is longer. */
const liveLengths = [80, 160] as const;

/**
 * The two texts for whose height the live line has space, from one to the other at most once in a sentence: an original
 * in `language`, or a translation into it.
 */
export function getLiveSpaces(
  text: "original" | "translation",
  language: TranslationLanguage,
): [string, string] {
  const [first, longer] = liveLengths.map((length) =>
    text === "original"
      ? fillSample(language, length * relativeLengths[language])
      : estimateTranslation("x".repeat(length), "en", language),
  );
  return [first ?? "", longer ?? ""];
}

/** `original`, or a text for which the live line has space if that is longer: so its space grows seldom. */
export function fillLiveSpace(original: string, spokenIn: SpokenLanguage): string {
  const ratio = relativeLengths[toTranslationLanguage(spokenIn)];
  const lengths = liveLengths.map((length) => Math.ceil(length * ratio));
  const length = lengths.find((one) => one >= original.length) ?? original.length;
  return original.padEnd(length, "x");
}
