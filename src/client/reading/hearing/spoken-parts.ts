import { replaceLiterals } from "#client/lib/formulas.ts";
import { estimateMs } from "./voice-pace.ts";

/** Chrome ends what a voice of its server speaks after 15 s; slow voices take longer than is estimated. */
const partMaxMs = 8_000;

/** Behind a clause. The marks of numbers, such as in 3.14, have no space behind them. */
const clauseEnds = /(?<=[.!?;:,…،؛۔।]\s)|(?<=[。！？；：，、])/u;

/** A formula without its signs: what a voice reads of them is longer than what is said. */
const toSpokenFormula = (tex: string): string =>
  tex
    .replace(/\\(?:[a-zA-Z]+|.)/g, (command) => ` ${command.slice(1)} `)
    .replace(/[{}$&_^]+/g, " ");

/** The utterances in which `text` is spoken: clauses, joined while they are short enough. Empty: there is nothing to say. */
export function splitSpokenText(text: string): string[] {
  const spoken = replaceLiterals(text, ({ text: written, formula }) =>
    formula ? toSpokenFormula(formula.tex) : written,
  ).replace(/\s+/g, " ");
  const parts: string[] = [];
  let lengthMs = Number.POSITIVE_INFINITY;
  for (const piece of spoken.split(clauseEnds).flatMap(splitLong)) {
    const pieceMs = estimateMs(piece);
    if (lengthMs + pieceMs > partMaxMs) {
      parts.push(piece);
      lengthMs = pieceMs;
    } else {
      parts[parts.length - 1] += piece;
      lengthMs += pieceMs;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** A clause that is too long is split between words, and a word between characters. */
function splitLong(clause: string): string[] {
  if (estimateMs(clause) <= partMaxMs) return [clause];
  const words = clause.split(/(?<=\s)/);
  return words.length > 1 ? words.flatMap(splitLong) : Array.from(clause);
}
