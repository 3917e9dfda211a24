import { normalize } from "./normal-form.ts";

/**
 * Texts of a quiz are compared without what a person or a model writes in one way or another: upper case, width, punctuation,
 * spaces, and the signs within numbers.
 */

/** A part of a text; indexes in UTF-16 units of its normal form NFC. */
export interface Span {
  start: number;
  end: number;
}

interface Unit extends Span {
  /** In lower case and usual width. */
  text: string;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const letter = /[\p{L}\p{M}\p{N}]/u;
/** Signs that say something: of formulas, currencies and shares. */
const sign = /[\p{S}%‰#@&]/u;
const digit = /\p{Nd}/u;
/** Within numbers. */
const numberSign = /^[.,٫٬'’ \u00a0\u202f]$/;

/** The first digits of scripts whose digits are not ASCII's after NFKC. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

function toAsciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = zeros.find((one) => code >= one && code < one + 10);
  return zero === undefined ? character : String(code - zero);
}

const isLetter = (unit: Unit | undefined) => unit !== undefined && letter.test(unit.text);
const isDigit = (unit: Unit | undefined) => unit !== undefined && digit.test(unit.text);
const isUnspaced = (unit: Unit | undefined) => unit !== undefined && unspaced.test(unit.text);

/** The characters that count, with their places. Linear in the length of `text`, which is in NFC. */
function toUnits(text: string): Unit[] {
  const raw: Unit[] = [];
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const folded = toAsciiDigit(character.normalize("NFKC").toLowerCase());
    raw.push({ text: folded, start, end });
    start = end;
  }
  const units: Unit[] = [];
  for (const [at, unit] of raw.entries()) {
    if (letter.test(unit.text) || sign.test(unit.text)) {
      units.push(unit);
      continue;
    }
    const before = raw[at - 1];
    const after = raw[at + 1];
    if (isDigit(before) && isDigit(after) && numberSign.test(text.slice(unit.start, unit.end))) {
      // A sign between three digits at most and three digits groups them; a point otherwise begins a fraction.
      const groups = [1, 2, 3].every((n) => isDigit(raw[at + n])) && !isDigit(raw[at + 4]);
      if (groups && !isDigit(raw[at - 4])) continue;
      if (/^[.,٫]$/.test(unit.text)) {
        units.push({ ...unit, text: "." });
        continue;
      }
    }
    // An apostrophe within a word.
    if (/^['’]$/.test(unit.text) && isLetter(before) && isLetter(after)) continue;
    if (units.length > 0 && units.at(-1)?.text !== " ") units.push({ ...unit, text: " " });
  }
  if (units.at(-1)?.text === " ") units.pop();
  // Scripts without spaces have none that count.
  return units.filter(
    ({ text: one }, at) => one !== " " || !(isUnspaced(units[at - 1]) || isUnspaced(units[at + 1])),
  );
}

/** Texts with the same key are the same answer. */
export const toAnswerKey = (text: string): string =>
  toUnits(normalize(text, "NFC"))
    .map((unit) => unit.text)
    .join("");

/** Where `part` occurs in `text` as whole words; empty for a part without letters, digits and signs. */
export function findSpans(text: string, part: string): Span[] {
  const units = toUnits(normalize(text, "NFC"));
  const wanted = toUnits(normalize(part, "NFC"));
  const key = wanted.map((unit) => unit.text).join("");
  if (key === "") return [];
  let joined = "";
  /** By the index in `joined`. */
  const unitsAt = new Map<number, number>();
  for (const [at, unit] of units.entries()) {
    unitsAt.set(joined.length, at);
    joined += unit.text;
  }
  unitsAt.set(joined.length, units.length);
  /** Both belong to one word, or to one number. */
  const isOneWord = (left: Unit | undefined, right: Unit | undefined) =>
    isLetter(left) && isLetter(right) && !isUnspaced(left) && !isUnspaced(right);
  const spans: Span[] = [];
  for (let from = joined.indexOf(key); from !== -1; from = joined.indexOf(key, from + 1)) {
    const begin = unitsAt.get(from);
    const end = unitsAt.get(from + key.length);
    if (begin === undefined || end === undefined) continue;
    const [first, last] = [units[begin], units[end - 1]];
    if (!first || !last || first.start < (spans.at(-1)?.end ?? 0)) continue;
    if (isOneWord(units[begin - 1], first) || isOneWord(last, units[end])) continue;
    spans.push({ start: first.start, end: last.end });
  }
  return spans;
}

export const hasWords = (text: string, part: string): boolean => findSpans(text, part).length > 0;

/** Letters of an answer in which one typing error is forgiven. Two would make "reflection" of "refraction". */
const typoMinLength = 6;

/**
 * How a typed answer compares with the right one. `typo`: one letter is missing, too much, another one or exchanged with its
 * neighbour. A number has no typing errors, and no word in a script without spaces.
 */
export function compareAnswers(typed: string, answer: string): "same" | "typo" | "other" {
  const [a, b] = [toAnswerKey(typed), toAnswerKey(answer)];
  if (a === b) return "same";
  if (/\p{N}/u.test(a + b) || unspaced.test(a + b)) return "other";
  return Math.min(a.length, b.length) >= typoMinLength && differsByOne(a, b) ? "typo" : "other";
}

function differsByOne(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = long.slice(at + 1);
  if (short.length < long.length) return short.slice(at) === rest;
  const isExchanged = short[at] === long[at + 1] && short[at + 1] === long[at];
  return (
    short.slice(at + 1) === rest || (isExchanged && short.slice(at + 2) === long.slice(at + 2))
  );
}
