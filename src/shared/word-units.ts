import { normalize } from "./normal-form.ts";
import { unspacedScripts } from "./words.ts";

/**
 * Units by which recognised texts are compared: words, and where a script has no spaces between words its letters
 * (grapheme clusters). They never depend on the text around them, which is cut anywhere.
 */

export interface TextUnit {
  /** With the white space before it. Punctuation belongs to the unit that it stands at. */
  text: string;
  /** Its index in the whole text. */
  from: number;
}

// SARA AM and the prolonged sound mark belong to the letter before them.
const letter = String.raw`[^\s\p{L}\p{N}]*[${unspacedScripts}][\p{M}\u0e33ーｰ]*[^\s\p{L}\p{N}\p{Ps}\p{Pi}]*`;
const unit = new RegExp(String.raw`\s*(?:${letter}|(?:(?![${unspacedScripts}])\S)+)`, "gu");

/** Letters of an unspaced script that say as much as a word, and take as long. */
export const lettersPerWord = 3;

export const listUnits = (text: string): TextUnit[] =>
  // White space without a word behind it would be tried from each of its characters.
  Array.from(text.trimEnd().matchAll(unit), ({ 0: match, index }) => ({
    text: match,
    from: index,
  }));

/**
 * What counts of a unit: neither case nor punctuation nor Arabic vowel signs, which change with the words around it and
 * from one engine to the next. Empty: no word.
 */
export const toComparable = (text: string): string =>
  normalize(text, "NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[\u0640\u064b-\u0652]|[^\p{L}\p{M}\p{N}']/gu, "");

export const listComparable = (text: string): string[] =>
  listUnits(text)
    .map((one) => toComparable(one.text))
    .filter((one) => one !== "");
