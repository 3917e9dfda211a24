/** A formula that is said in a row, and what was said. */
export interface RowFormula {
  /** A part of the row's original, as it stands there. */
  words: string;
  /** In LaTeX, without dollar signs; see `isPlainTex`. */
  tex: string;
}

/** Places at which words are tried: `n` is in many words, and at last alone. */
const maxTries = 50;

/** A letter or a digit of a script whose words have spaces between them. */
const wordCharacter = /[\p{Script=Latin}\p{Script=Greek}\p{Nd}]/u;

function isWithinWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? "";
  return wordCharacter.test(before) && wordCharacter.test(text[at] ?? "");
}

/** Where whole words `words` are in `text` from `start` on; -1: nowhere. */
export function findWords(text: string, words: string, start = 0): number {
  if (words === "") return -1;
  let at = text.indexOf(words, start);
  for (let tries = 1; at !== -1; tries += 1) {
    if (!isWithinWord(text, at) && !isWithinWord(text, at + words.length)) return at;
    if (tries === maxTries) return -1;
    at = text.indexOf(words, at + 1);
  }
  return -1;
}

/** Those of `formulas` whose words `text` has, in its order and beside each other. */
export function selectFormulas(text: string, formulas: readonly RowFormula[] = []): RowFormula[] {
  let end = 0;
  return formulas.filter(({ words }) => {
    const at = findWords(text, words, end);
    if (at !== -1) end = at + words.length;
    return at !== -1;
  });
}

/** Without any is the same as missing. */
export const hasSameFormulas = (
  one: readonly RowFormula[] = [],
  other: readonly RowFormula[] = [],
): boolean =>
  one.length === other.length &&
  one.every(({ words, tex }, at) => words === other[at]?.words && tex === other[at]?.tex);
