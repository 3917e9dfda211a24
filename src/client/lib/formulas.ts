/** Formulas in the text of a model: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. They are shown as they are written. */

/** Code, in which nothing is a formula, or a formula by its signs. A formula has no blank line. */
const literals =
  /(?<code>(?<!`)(?<ticks>`+)(?!`)[^\0]*?[^`]\k<ticks>(?!`))|\\\((?<round>(?:(?!\n\s*\n|\\\))[\s\S]){1,1000})\\\)|\\\[(?<square>(?:(?!\n\s*\n|\\\])[\s\S]){1,1000})\\\]|(?<!\\)\$\$(?<double>(?:(?!\n\s*\n|\$\$)[\s\S]){1,1000})\$\$|(?<![\\$])\$(?<single>[^\s$](?:[^$\n]{0,300}?[^\s$\\])?)\$(?![\d$])/g;

/** A sign of mathematics, or a name of it alone, such as `x`, `2n` and `AB`. Prices and words in brackets have none. */
const isMath = (text: string): boolean =>
  /[\\^_={}<>+*/|]|\s[-−]\s|\d[-−]|[-−]\d|\p{L}\(/u.test(text) ||
  /^\s*\d*\p{L}{1,2}\d*['′]?\s*$/u.test(text);

/** Two prices, such as "$5 and 6$", have words between them. */
const isPrice = (text: string): boolean => /^\d[\d.,]*\s+\p{L}{2,}/u.test(text);

export interface Literal {
  kind: "code" | "formula";
  /** As written, with its signs. */
  text: string;
}

/** `text` with what `replace` makes of each formula, and of each piece of code on a line. */
export function replaceLiterals(text: string, replace: (literal: Literal) => string): string {
  if (!/[$`]|\\[([]/.test(text)) return text;
  return text.replace(literals, (...match) => {
    const [whole] = match as [string];
    const groups = match.at(-1) as Record<string, string | undefined>;
    const { code, round, square, double, single } = groups;
    if (code !== undefined) return replace({ kind: "code", text: whole });
    const isFormula =
      double !== undefined ||
      (single !== undefined && isMath(single) && !isPrice(single)) ||
      (round !== undefined && (isMath(round) || /^\s*\d/.test(round))) ||
      (square !== undefined && isMath(square));
    return isFormula ? replace({ kind: "formula", text: whole }) : whole;
  });
}
