import type { TranslationLanguage } from "#shared/languages.ts";

interface TextLength {
  /** Characters of a long translation for each character of the English. */
  ratio: number;
  /** Characters that are added, because short sentences grow most. */
  extra: number;
  /** Text of that language's usual width. Only letters that every such font has. */
  sample: string;
}

/**
 * How long a translation from English may become. Measured on the 1,997 sentences of NTREX-128 (Federmann
 * et al. 2022, newstest2019): at 46 Latin or 23 Chinese characters a line, 97 to 99 % of the sentences need
 * no more lines than this, and on average they need 0.6 lines fewer. Their mean ratios are: es 1.17, fr 1.19,
 * de 1.20, ru 1.12, hi 1.07, ar 0.94, ko 0.55, ja 0.46, zh-cn 0.35, zh 0.37.
 */
const lengths: Partial<Record<TranslationLanguage, TextLength>> = {
  es: { ratio: 1.35, extra: 8, sample: "palabra " },
  fr: { ratio: 1.4, extra: 8, sample: "phrase " },
  de: { ratio: 1.4, extra: 8, sample: "Wortfolge " },
  ru: { ratio: 1.35, extra: 8, sample: "перевод " },
  hi: { ratio: 1.25, extra: 8, sample: "अनुवाद " },
  ar: { ratio: 1.15, extra: 8, sample: "ترجمة " },
  ko: { ratio: 0.68, extra: 5, sample: "번역문 " },
  ja: { ratio: 0.54, extra: 5, sample: "訳" },
  "zh-cn": { ratio: 0.42, extra: 5, sample: "译" },
  zh: { ratio: 0.48, extra: 5, sample: "譯" },
};

/** For languages that were not measured. */
const otherLength: TextLength = { ratio: 1.4, extra: 8, sample: "palabra " };

/** A text that is as long as the translation of `original` usually becomes at most. */
export function estimateTranslation(original: string, language: TranslationLanguage): string {
  const { ratio, extra, sample } = lengths[language] ?? otherLength;
  const length = original === "" ? 0 : Math.ceil(original.length * ratio) + extra;
  return sample.repeat(Math.ceil(length / sample.length)).slice(0, length);
}

/** Characters of English for which the live line has space: at first, and in a sentence that is longer. */
const liveLengths = [80, 160] as const;

/**
 * The two texts for whose height the live line has space, from one to the other at most once in a sentence: English
 * or a translation of that.
 */
export function getLiveSpaces(language: TranslationLanguage | "original"): [string, string] {
  const [first, longer] = liveLengths.map((length) => {
    const original = "sentence ".repeat(Math.ceil(length / 9)).slice(0, length);
    return language === "original" ? original : estimateTranslation(original, language);
  });
  return [first ?? "", longer ?? ""];
}

/** `original`, or a text for which the live line has space if that is longer: so its space grows seldom. */
export function fillLiveSpace(original: string): string {
  const length = liveLengths.find((one) => one >= original.length) ?? original.length;
  return original.padEnd(length, "x");
}
