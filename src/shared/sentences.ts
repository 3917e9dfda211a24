import type { SpokenLanguage } from "./languages.ts";
import { otherWords, sentenceWords } from "./sentence-words.ts";

/**
 * Where sentences end, by language. What has not come yet never changes an answer, so a text that arrives in pieces is
 * divided as one that is there as a whole.
 */

/**
 * Finds where the sentence that begins at `from` ends: behind its marks and closing quotes. Null: it does not end in
 * `text`, or what follows decides. `isWhole`: nothing follows `text`.
 */
export type FindSentenceEnd = (text: string, from: number, isWhole: boolean) => number | null;

/** A part of a text, `to` exclusive, without surrounding white space. */
interface TextRange {
  from: number;
  to: number;
}

const marks = /[.?!…‼⁇⁈⁉؟۔।॥。！？｡．]+/gu;
/** A Greek question ends with a semicolon, or with the question mark that looks like one. */
const greekMarks = /[.;\u037e?!…]+/gu;
/** These end a sentence without a space behind them, as all marks do after Han and kana. */
const strongMark = /[؟۔।॥。！？｡]/u;
const afterUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー][」』）”’》〉】]*$/u;
const dots = /^(?:[.．]{2,}|[.．]*…[.…．]*)$/u;

const lastWord =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}'’.,‑-])*$/u;
const nextWord = /^[\p{L}\p{M}]+/u;
/** In other scripts, words have one letter. */
const letter = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]`;
const initials = new RegExp(String.raw`^(?:${letter}[.‑\-]+)*${letter}$`, "u");

/** Characters that are looked at before marks, and behind them. */
const reach = 40;
/** In a longer quotation sentences end: its closing quote may be missing. */
const quotationMaxLength = 200;
const openers = "「『（【《“";
const closers = "」』）】》”";

interface Continuation {
  marks: RegExp;
  pattern: RegExp;
  /** Characters that decide. */
  length: number;
}
/** What goes on with a sentence behind a quotation that ends with `marks`. */
const continuations: Partial<Record<SpokenLanguage, Continuation>> = {
  // Particles.
  ja: {
    marks: /./u,
    pattern: /^(?:と(?!ころ|ても|にかく|りあえ)|って|という|など|を|が|の(?!ち))/u,
    length: 4,
  },
  // Who asks or calls.
  zh: {
    marks: /[？！?!]/u,
    pattern: /^[^，。！？；：“”]{0,8}?[问说喊叫想答道]{1,2}[他她我们]{0,2}[，。：]/u,
    length: 14,
  },
};

function isInQuotation(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (openers.includes(character)) depth += 1;
    else if (depth > 0 && closers.includes(character)) depth -= 1;
  }
  return depth > 0;
}

const toSet = (words: string | undefined) => new Set(words?.split(" "));

/** By language: a file may have a million paragraphs, and a finder takes longer than one of them. */
const finders = new Map<SpokenLanguage, FindSentenceEnd>();

export function getSentenceFinder(language: SpokenLanguage): FindSentenceEnd {
  const finder = finders.get(language) ?? createSentenceFinder(language);
  finders.set(language, finder);
  return finder;
}

function createSentenceFinder(language: SpokenLanguage): FindSentenceEnd {
  const { script = "" } = new Intl.Locale(language).maximize();
  const isCased = ["Latn", "Cyrl", "Grek"].includes(script);
  const words = sentenceWords[language] ?? otherWords;
  const ends = language === "el" ? greekMarks : marks;
  const inside = toSet(words.inside);
  const numbered = toSet(words.numbered);
  const anywhere = toSet(words.anywhere);
  const starters = toSet(words.starters);
  const continuation = continuations[language];
  // A German quotation ends with the quote that begins others, and guillemets point inwards.
  const closing =
    language === "de"
      ? /["'“”‘’«»‹›)\]]*/uy
      : language === "fr"
        ? /(?:["'”’›)\]]|\s*»)*/uy
        : /["'”’»›)\]）］】』」》〉｣}]*/uy;
  // What may stand between two sentences. In English also numbers: "Jan. 5 was".
  const between = language === "en" ? /^[^\p{L}.?!…]*/u : /^[\s\p{Pd}\p{Ps}\p{Pi}\p{Pf}"'¿¡*]*/u;

  /** Whether a period after `before` ends the sentence; undefined: what follows decides. */
  function isPeriodEnd(before: string, behind: string, isOpen: boolean): boolean | undefined {
    const rest = behind.replace(between, "");
    const word = (lastWord.exec(before)?.[0] ?? "").replace(/^[^\p{L}\p{N}]+/u, "");
    const key = word.toLowerCase();
    // Also behind an article: "l'on." In "don't." a single letter follows.
    if (inside.has(key) || inside.has(/['’](\p{L}{2,})$/u.exec(key)?.[1] ?? "")) return false;
    if (numbered.has(key) && /^\s*\p{N}/u.test(behind)) return false;
    // Korean dates are numbers with periods: "2024. 5. 3."
    if (language === "ko" && /\p{N}$/u.test(word))
      return !/\p{N}\.\s*\p{N}+$/u.test(before) && !/^\p{N}/u.test(rest);
    const isShort = initials.test(word) && !(language === "en" && key === "i");
    const isAbbreviation = anywhere.has(key) && !(isShort && word !== key);
    const isOrdinal = language === "de" && /^(?:\d{1,3}|[IVX]+)$/u.test(word);
    if (isAbbreviation ? language !== "de" : !isShort && !isOrdinal) return true;
    if (rest === "") return !isShort || isAbbreviation;
    const next = nextWord.exec(rest)?.[0] ?? "";
    if (next === rest && isOpen) return undefined;
    return rest[next.length] !== "." && starters.has(next.toLowerCase());
  }

  /** Spoken English may begin a sentence with a small letter: a period behind a word that is no abbreviation ends one. */
  function isPlainEnd(before: string, behind: string): boolean {
    if (language !== "en" || !/^\s+\p{Ll}/u.test(behind)) return false;
    const word = lastWord.exec(before)?.[0] ?? "";
    const key = word.toLowerCase();
    return /^\p{L}[\p{L}'’‑-]+$/u.test(word) && !inside.has(key) && !anywhere.has(key);
  }

  /** Whether `mark` at `index` ends the sentence, with its closing quotes at `end`; undefined: what follows decides. */
  function isEnd(
    text: string,
    { from, index, mark, end }: { from: number; index: number; mark: string; end: number },
    isWhole: boolean,
  ): boolean | undefined {
    const before = text.slice(Math.max(from, index - reach), index);
    const behind = text.slice(end, end + reach);
    const isOpen = !isWhole && behind.length < reach;
    if (behind === "" && isOpen) return undefined;
    const isLast = behind.trim() === "" && !isOpen;
    if (dots.test(mark) && !isCased) return isLast;
    if (strongMark.test(mark) || afterUnspaced.test(before)) {
      if (!strongMark.test(mark) && /^[\p{Script=Latin}\p{N}&=/]/u.test(behind)) return false;
      if (isInQuotation(text.slice(Math.max(from, index - quotationMaxLength), end))) return false;
      const isQuotation = /[」』”’"]$/u.test(text.slice(index + mark.length, end));
      if (!isQuotation || !continuation?.marks.test(mark)) return true;
      if (continuation.pattern.test(behind)) return false;
      return isOpen && behind.length < continuation.length ? undefined : true;
    }
    if (behind !== "" && !/^\s/u.test(behind)) return false;
    const isPlain = !isCased && !/[\p{Script=Latin}\p{N}]\p{P}*$/u.test(before);
    const rest = behind.replace(between, "");
    if (rest === "" && isOpen && !isPlain) return undefined;
    const isLower = !isPlain && /^\p{Ll}/u.test(rest);
    if (mark !== ".")
      return !isLower || (language === "en" && !dots.test(mark) && end === index + mark.length);
    // The number of a list, or its letter, is not a sentence.
    const isNumber =
      index - from < reach && /^\s*(?:\d{1,3}|[A-Ha-h])$/u.test(text.slice(from, index));
    if (isNumber) return false;
    if (isLower) return end === index + mark.length && isPlainEnd(before, behind);
    return isPeriodEnd(before, behind, isOpen);
  }

  return (text, from, isWhole) => {
    ends.lastIndex = from;
    for (const { 0: mark, index } of text.matchAll(ends)) {
      closing.lastIndex = index + mark.length;
      const end = closing.lastIndex + (closing.exec(text)?.[0].length ?? 0);
      const answer = isEnd(text, { from, index, mark, end }, isWhole);
      if (answer === undefined) return null;
      if (answer) return end;
    }
    return null;
  };
}

/** The sentences of a whole text, in order. Only white space lies between them. */
export function findSentences(text: string, language: SpokenLanguage): TextRange[] {
  const findEnd = getSentenceFinder(language);
  const ranges: TextRange[] = [];
  for (let from = 0; from < text.length; ) {
    const to = findEnd(text, from, true) ?? text.length;
    const part = text.slice(from, to);
    const trimmed = part.trim();
    const begin = from + (part.length - part.trimStart().length);
    if (trimmed !== "") ranges.push({ from: begin, to: begin + trimmed.length });
    from = to;
  }
  return ranges;
}
