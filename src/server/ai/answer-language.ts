import { scoreLatinLanguages } from "#shared/detect-language.ts";
import { getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";

/** Whether the text of a model is in the language that was asked for, as far as its script and its frequent words show it. */

/** Scripts of letters, by the script of a language as `Intl.Locale` names it. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  Hans: ["Han"],
  Hant: ["Han"],
  Jpan: ["Han", "Hiragana", "Katakana"],
  Kore: ["Hangul", "Han"],
};

/** A character of these says about as much as so many letters. */
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const denseWeight = 3;

/** Letters that show a script. Shorter texts may be names and numbers. */
const shownLetters = 24;
/** Less of the script than this is another one: formulas, names and terms stay in Latin letters. */
const minShare = 0.2;
/** In Chinese there are names in kana, not sentences. */
const maxKanaShare = 0.3;

const letterPatterns = new Map<string, RegExp>();

/** The letters of the language's script. */
function getLetters(language: TranslationLanguage): RegExp {
  let pattern = letterPatterns.get(language);
  if (pattern === undefined) {
    const { script = "Latn" } = new Intl.Locale(getTranslationTag(language)).maximize();
    const classes = (scripts[script] ?? [script]).map((name) => String.raw`\p{sc=${name}}`);
    pattern = new RegExp(`[${classes.join("")}]`, "gu");
    letterPatterns.set(language, pattern);
  }
  return pattern;
}

const weigh = (text: string, pattern: RegExp) => {
  const found = text.match(pattern)?.join("") ?? "";
  return found.length + (denseWeight - 1) * (found.match(dense)?.length ?? 0);
};

/** Words of a Latin language that are frequent there and nowhere else; a share of words. */
const clearScore = 0.15;
/** Words that are scored, so that two or three of them do not decide. */
const scoredWords = 8;

/**
 * False for a text that is certainly in another language than `language`: another script, or one of the most frequent
 * Latin languages in place of another one. Short texts pass.
 */
export function isInLanguage(text: string, language: TranslationLanguage): boolean {
  const letters = weigh(text, /\p{L}/gu);
  if (letters < shownLetters) return true;
  if (weigh(text, getLetters(language)) < minShare * letters) return false;
  const kana = weigh(text, /[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  if ((language === "zh" || language === "zh-cn") && kana > maxKanaShare * letters) return false;
  const scores: Readonly<Record<string, number>> = scoreLatinLanguages(text);
  const own = scores[language];
  if (own === undefined || (text.match(/\p{L}+/gu)?.length ?? 0) < scoredWords) return true;
  const best = Math.max(...Object.values(scores));
  return best < clearScore || own >= best / 2;
}

/** Tokens that a letter of the language's script needs at most in the tokenizers of small models. */
export function getTokensPerLetter(language: TranslationLanguage): number {
  const { script = "Latn" } = new Intl.Locale(getTranslationTag(language)).maximize();
  if (script === "Latn") return 1 / 3;
  // A character says as much as three letters, and needs up to 1.4 tokens.
  if (script in scripts) return 1.4 / denseWeight;
  return ["Cyrl", "Grek", "Arab", "Hebr", "Deva"].includes(script) ? 4 / 3 : 2;
}
