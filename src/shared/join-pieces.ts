import type { SpokenLanguage, TranslationLanguage } from "./languages.ts";

/** How pieces of text meet, and where a text may be cut. */

/** Whether words of a language, given by its code or tag, are written with spaces between them. */
const hasSpaces = (language: string): boolean => !/^(?:ja|zh)/.test(language);

/** Han, kana, their marks, the punctuation that stands with them, and opening brackets and quotes. */
const noSpaceAfter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff00-\uffef…\p{Ps}\p{Pi}]$/u;
const spaceBefore =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\uff00-\uffef])[\p{L}\p{N}]/u;

/**
 * The space between two pieces of a text in `language` that are words or more; in Japanese and Chinese, only Latin words
 * are separated. `before` is empty where it is unknown.
 */
export const getSpace = (
  before: string,
  after: string,
  language: SpokenLanguage | TranslationLanguage,
): "" | " " =>
  hasSpaces(language) || (spaceBefore.test(after) && !noSpaceAfter.test(before.slice(-2)))
    ? " "
    : "";

/** `pieces` with the space before each; `before`: the text in front of them, if it is known. */
export const addSpaces = (
  pieces: readonly string[],
  language: SpokenLanguage | TranslationLanguage,
  before = "",
): string[] =>
  pieces.map((piece, index) => getSpace(pieces[index - 1] ?? before, piece, language) + piece);

/** One text of words or longer pieces. */
export const joinPieces = (
  pieces: readonly string[],
  language: SpokenLanguage | TranslationLanguage,
): string => addSpaces(pieces, language).join("").trim();

let graphemes: Intl.Segmenter | undefined;
/** Characters behind a cut that decide whether it is between two grapheme clusters. */
const lookahead = 16;

/** The end of the longest beginning of `text` that has at most `max` UTF-16 units and cuts no grapheme cluster. */
export function findCut(text: string, max: number): number {
  if (text.length <= max) return text.length;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const start = graphemes.segment(text.slice(0, max + lookahead)).containing(max)?.index ?? 0;
  if (start > 0) return start;
  // A single cluster, which is no letter: at least a surrogate pair stays whole.
  return /[\ud800-\udbff]/.test(text[max - 1] ?? "") ? max - 1 : max;
}
