import type { SpokenLanguage } from "#shared/languages.ts";
import { termMaxLength, termTranslationMaxLength } from "#shared/limits.ts";
import { lettersPerWord, listUnits, type TextUnit, toComparable } from "#shared/word-units.ts";
import { isUnspaced, listWords } from "#shared/words.ts";

/** Words of a run that may be a term. */
const wordsMax = 4;
/** Shorter words are no terms, unless they have a capital letter or a digit behind their first letter. */
const lettersMin = 4;

interface RowTexts {
  original: string;
  translated: string;
}

export interface CorrectedTerm {
  /** In the row's spoken language. Empty where only the translation was corrected: the person has to name the term. */
  term: string;
  /** Null where the translation was not corrected. */
  translation: string | null;
}

/**
 * The term that a person has corrected in a row: the one run of at most four words, or twelve letters of a script without
 * spaces, in which a text differs. Null if it differs otherwise, in nothing but case and punctuation, or in common words.
 * `language`: of the original. `commonWords`: of that language, in lower case.
 *
 * @example
 * const before = { original: "In my toes is,", translated: "" };
 * findCorrectedTerm(before, { original: "In mitosis,", translated: "" }, "en", new Set(["is"]));
 * // { term: "mitosis", translation: null }
 */
export function findCorrectedTerm(
  before: RowTexts,
  after: RowTexts,
  language: SpokenLanguage,
  commonWords: ReadonlySet<string>,
): CorrectedTerm | null {
  const original = findChange(before.original, after.original);
  const translated = findChange(before.translated, after.translated);
  if (original === "other" || translated === "other") return null;
  const term = original && toTerm(original, language, commonWords);
  if (original !== null && !term) return null;
  const translation = translated && trimRun(translated);
  if (!term && !translation) return null;
  if ((term?.length ?? 0) > termMaxLength || (translation?.length ?? 0) > termTranslationMaxLength)
    return null;
  return { term: term ?? "", translation: translation || null };
}

/** The run of `after` in place of one of `before`; null without a difference, `other` for any other one. */
function findChange(before: string, after: string): string | "other" | null {
  const [old, units] = [listUnits(before), listUnits(after)];
  const isSame = (a: TextUnit | undefined, b: TextUnit | undefined) =>
    a !== undefined && b !== undefined && toComparable(a.text) === toComparable(b.text);
  const shorter = Math.min(old.length, units.length);
  let start = 0;
  while (start < shorter && isSame(old[start], units[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(old.at(-1 - end), units.at(-1 - end))) end += 1;
  const [oldTo, to] = [old.length - end, units.length - end];
  if (start === oldTo && start === to) return null;
  if (start === oldTo || start === to) return "other";
  if (isTooLong(old.slice(start, oldTo)) || isTooLong(units.slice(start, to))) return "other";
  const from = units[start]?.from ?? 0;
  return expand(after, from, units[to]?.from ?? after.length);
}

const isTooLong = (units: readonly TextUnit[]): boolean => {
  const letters = units.filter(({ text }) => isUnspaced(text)).length;
  return letters + lettersPerWord * (units.length - letters) > lettersPerWord * wordsMax;
};

/** The run with the rest of the words that it cuts, in a script without spaces. */
function expand(text: string, from: number, to: number): string {
  if (!isUnspaced(text.slice(from, to))) return text.slice(from, to);
  const words = [...listWords(text, new Intl.Segmenter([], { granularity: "word" }))];
  const first = words.findLast(({ index }) => index <= from);
  const behind = words.find(({ index }) => index >= to);
  return text.slice(first?.isWordLike ? first.index : from, behind?.index ?? text.length);
}

const trimRun = (run: string): string =>
  run
    .replace(/^[^\p{L}\p{N}]+/u, "")
    // Tried at the beginning of what is no letter, and not once more at each of its characters.
    .replace(/(?<![^\p{L}\p{M}\p{N}+#%])[^\p{L}\p{M}\p{N}+#%]+$/u, "")
    .replaceAll(/\s+/gu, " ");

function toTerm(
  run: string,
  language: SpokenLanguage,
  commonWords: ReadonlySet<string>,
): string | null {
  const trimmed = trimRun(run);
  // l'électron, dell'energia
  const isElided = ["fr", "it", "ca"].includes(language);
  const term = isElided ? trimmed.replace(/^\p{L}{1,5}['’](?=\p{L})/u, "") : trimmed;
  return term.split(" ").some((word) => isTermWord(word, commonWords)) ? term : null;
}

const isTermWord = (word: string, commonWords: ReadonlySet<string>): boolean => {
  if (commonWords.has(word.toLowerCase())) return false;
  if (isUnspaced(word)) return word.length > 1;
  if (/^.+[\p{Lu}\p{N}+#]/u.test(word)) return true;
  return word.length >= lettersMin;
};
