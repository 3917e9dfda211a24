/** Formulas in a text: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. */

/** Code, in which nothing is a formula, or a formula by its signs. A formula has no blank line. */
const literals =
  /(?<code>(?<!`)(?<ticks>`+)(?!`)[^\0]*?[^`]\k<ticks>(?!`))|\\\((?<round>(?:(?!\n\s*\n|\\\))[\s\S]){1,1000})\\\)|\\\[(?<square>(?:(?!\n\s*\n|\\\])[\s\S]){1,1000})\\\]|(?<!\\)\$\$(?<double>(?:(?!\n\s*\n|\$\$)[\s\S]){1,1000})\$\$|(?<![\\$])\$(?<single>[^\s$](?:[^$\n]{0,300}?[^\s$\\])?)\$(?![\d$])/g;

/** A sign of mathematics, or a name of it alone, such as `x`, `2n` and `AB`. Prices and words in brackets have none. */
const isMath = (text: string): boolean =>
  /[\\^_={}<>+*/|]|\s[-−]\s|\d[-−]|[-−]\d|\p{L}\(/u.test(text) ||
  /^\s*\d*\p{L}{1,2}\d*['′]?\s*$/u.test(text);

/** Two prices, such as "$5 and 6$", have words between them. */
const isPrice = (text: string): boolean => /^\d[\d.,–-]*\s+\p{L}{2,}/u.test(text);

/** Of a command line, such as `$HOME/bin:$PATH`. */
const isVariable = (text: string): boolean => /^(?:[A-Z][A-Z\d]*_)*[A-Z]{2,}[/:]/.test(text);

export interface Formula {
  /** In LaTeX, without its signs. */
  tex: string;
  /** It stands on a line of its own. */
  isDisplay: boolean;
}

interface Literal {
  /** As written, with its signs. */
  text: string;
  /** Null for code. */
  formula: Formula | null;
}

export type FormulaPiece = Literal & { formula: Formula };

/** The formulas of `text`, and the code on its lines, with their places. */
function* findLiterals(text: string): Generator<Literal & { index: number }> {
  if (!/[$`]|\\[([]/.test(text)) return;
  literals.lastIndex = 0;
  for (let match = literals.exec(text); match !== null; match = literals.exec(text)) {
    const { index, groups = {} } = match;
    const next = literals.lastIndex;
    const { code, round, square, double, single } = groups;
    const isFormula =
      double !== undefined ||
      (single !== undefined && isMath(single) && !isPrice(single) && !isVariable(single)) ||
      (round !== undefined && (isMath(round) || /^\s*\d/.test(round))) ||
      (square !== undefined && isMath(square));
    if (code !== undefined) yield { index, text: match[0], formula: null };
    else if (isFormula) {
      const tex = (round ?? square ?? double ?? single ?? "").trim();
      const isDisplay = single === undefined && round === undefined;
      yield { index, text: match[0], formula: { tex, isDisplay } };
    }
    // The sign that closes no formula may open one.
    literals.lastIndex = code !== undefined || isFormula ? next : index + 1;
  }
}

/** `text` with what `replace` makes of each formula, and of each piece of code on a line. */
export function replaceLiterals(text: string, replace: (literal: Literal) => string): string {
  let result = "";
  let end = 0;
  for (const literal of findLiterals(text)) {
    result += text.slice(end, literal.index) + replace(literal);
    end = literal.index + literal.text.length;
  }
  return result + text.slice(end);
}

/** A formula within a line, as it is written in a text. */
export const writeFormula = (tex: string): string => `$${tex}$`;

/** The pieces of `text`: formulas, code, and what is written between them. */
export function splitLiterals(text: string): (string | Literal)[] {
  const pieces: (string | Literal)[] = [];
  let end = 0;
  for (const { index, ...literal } of findLiterals(text)) {
    if (index > end) pieces.push(text.slice(end, index));
    pieces.push(literal);
    end = index + literal.text.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The pieces of `text`: formulas, and what is written between them. */
export function splitFormulas(text: string): (string | FormulaPiece)[] {
  const pieces: (string | FormulaPiece)[] = [];
  for (const piece of splitLiterals(text)) {
    if (typeof piece === "object" && piece.formula) {
      pieces.push({ text: piece.text, formula: piece.formula });
      continue;
    }
    const written = typeof piece === "string" ? piece : piece.text;
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + written;
    else pieces.push(written);
  }
  return pieces;
}

/** The beginning of a formula, whose end was cut off with the rest of its text. */
const cutFormula = /(?:\\[([]|\$\$?)(?=[^$]*[\\^_{}=])[^$]*(?<dots>…|\.{3})$/;

/** `text`, without the formula at its end if that was cut off. */
export function dropCutFormula(text: string): string {
  const last = splitFormulas(text).at(-1);
  if (typeof last !== "string") return text;
  return text.slice(0, -last.length) + last.replace(cutFormula, "$<dots>");
}

/** `text` has the signs of a formula, which may not be one. */
export const mayHaveFormula = (text: string): boolean => /[$\\]/.test(text);
