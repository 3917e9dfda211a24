import { normalize } from "#shared/normal-form.ts";

/**
 * Han, kana, Hangul and their marks, and Thai: written without spaces or with changing endings, so indexed by pairs of
 * characters. Postgres and JavaScript use the same ranges.
 */
const cjkRanges: [from: number, to: number][] = [
  [0x0e01, 0x0e3a],
  [0x0e40, 0x0e4e],
  [0x1100, 0x11ff],
  [0x3005, 0x3007],
  [0x3041, 0x3096],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30ff],
  [0x3131, 0x318e],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0x20000, 0x323af],
];
const toCharacterRange = ([from, to]: [number, number]) =>
  `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`;
export const cjkCharacters = cjkRanges.map(toCharacterRange).join("");

const letters = String.raw`[\p{L}\p{M}\p{N}]`;
const termPattern = new RegExp(
  `(?<run>[${letters}&&[${cjkCharacters}]]+)|[${letters}--[${cjkCharacters}]]+`,
  "gv",
);

/** Further terms are ignored, because they hardly change the results. */
const maxTerms = 8;
/** A shorter word matches whole words only. */
export const minPrefixLength = 3;

/** A part of a query. A result contains every term. */
export type Term = { kind: "word" | "cjk"; text: string };

/** The form in which texts and queries are compared; half-width and full-width letters are equal. */
export const toNormalForm = (text: string): string =>
  normalize(text.toWellFormed(), "NFKC").toLowerCase();

/** The words and CJK runs of `normal`, in order, each with the index of its first UTF-16 unit. */
export const findTerms = (normal: string): (Term & { index: number })[] =>
  Array.from(normal.matchAll(termPattern), ({ 0: text, index, groups }) => ({
    kind: groups?.run === undefined ? "word" : "cjk",
    text,
    index,
  }));

/** The words and CJK runs of a query, in order, without repetition. */
export function parseTerms(query: string): Term[] {
  const terms = new Map<string, Term>();
  for (const { kind, text } of findTerms(toNormalForm(query)))
    if (terms.size < maxTerms && !terms.has(text)) terms.set(text, { kind, text });
  return [...terms.values()];
}

/** Particles at the end of a Japanese or Korean word. */
const particle =
  /(?<=[\p{Script=Han}\p{Script=Katakana}ー])[をはがにへのとでも]$|(?<=\p{Script=Hangul}{2})(?:을|를|은|는|이|가|의|에|로|와|과|도|에서|으로|까지|부터|에게)$/u;

/** The terms without particles at their ends; null if none has one. They are found in more places. */
export function removeParticles(terms: readonly Term[]): Term[] | null {
  const shorter = terms.map(({ kind, text }) => ({
    kind,
    text: kind === "cjk" ? text.replace(particle, "") : text,
  }));
  return shorter.some(({ text }, n) => text !== terms[n]?.text) ? shorter : null;
}
