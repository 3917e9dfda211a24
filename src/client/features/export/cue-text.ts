import { findCut } from "#shared/join-pieces.ts";

/** How a text is divided into the parts that cues show, and these into lines. */

const linesMax = 2;
/** Characters of a line. */
const lineMax = 42;
/** Wide characters of a line in languages that are written with them; a letter of another script is half of one. */
const wideLineMax = 20;
const wideLanguage = /^(?:zh|ja|ko)\b/;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;
/** Between these, a line may end without a space. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u;
const noLineStart = /^[\p{Pe}\p{Pf}\p{Po}\p{M}ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
const noLineEnd = /[\p{Ps}\p{Pi}]$/u;

const getLineMax = (language: string): number =>
  wideLanguage.test(language) ? wideLineMax : lineMax;

/** The width of `text`, in characters of its language. */
function measureWidth(text: string, language: string): number {
  const isWide = wideLanguage.test(language);
  let width = 0;
  for (const character of text) {
    if (/\p{M}|\p{Cf}/u.test(character)) continue;
    if (wide.test(character)) width += isWide ? 1 : 2;
    else width += isWide && !/\s/.test(character) ? 0.5 : 1;
  }
  return width;
}

/** What stays on one line, with the space behind it. */
interface Token {
  text: string;
  /** Without and with that space. */
  width: number;
  widthWithSpace: number;
  /** How much a cue that ends here is worse than one that ends with its sentence. */
  endCost: number;
}

/** A period behind a short word may be that of an abbreviation. */
const sentenceEnd = /(?:[\p{L}\p{N}]{4}\.|[!?…。！？؟।])[\p{Pe}\p{Pf}"']*\s*$/u;
const clauseEnd = /[,;:—–、，；：،؛][\p{Pe}\p{Pf}"']*\s*$/u;
/** A part that is half longer or shorter than the others costs 0.25. */
const endCosts = { sentence: 0, clause: 0.05, word: 0.5 };

function getEndCost(text: string): number {
  if (sentenceEnd.test(text)) return endCosts.sentence;
  return clauseEnd.test(text) ? endCosts.clause : endCosts.word;
}

let segmenters = new Map<string, Intl.Segmenter>();

function listWords(text: string, language: string): string[] {
  if (!unspaced.test(text)) return text.split(/(?<=\s)(?=\S)/u);
  const key = language === "und" ? "en" : language;
  const segmenter = segmenters.get(key) ?? new Intl.Segmenter(key, { granularity: "word" });
  segmenters = segmenters.set(key, segmenter);
  const words: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const last = words.at(-1);
    const mayPart =
      last !== undefined &&
      !/^\s/.test(segment) &&
      (/\s$/.test(last) || unspaced.test(last.slice(-1)) || unspaced.test(segment.charAt(0))) &&
      !noLineStart.test(segment) &&
      !noLineEnd.test(last);
    if (last === undefined || mayPart) words.push(segment);
    else words[words.length - 1] = last + segment;
  }
  return words;
}

function toTokens(text: string, language: string): Token[] {
  const max = getLineMax(language);
  return listWords(text, language).flatMap((word) => {
    const pieces: string[] = [];
    // Such as an address.
    for (let rest = word; rest !== ""; ) {
      const cut = measureWidth(rest.trimEnd(), language) <= max ? rest.length : findCut(rest, max);
      pieces.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    return pieces.map((piece) => ({
      text: piece,
      width: measureWidth(piece.trimEnd(), language),
      widthWithSpace: measureWidth(piece, language),
      endCost: getEndCost(piece),
    }));
  });
}

/** Of a part with a line or a time too many: more than all places of cuts cost. */
export const faultCost = 1_000;

/** How far a part ends from where it should, in parts. No word is longer than half of one. */
const awayMax = 1;

/** A text in a language, ready to be divided. */
export class CueText {
  readonly #tokens: readonly Token[];
  readonly #lineMax: number;
  /** Width before each token, and behind the last one. */
  readonly #starts: readonly number[];

  constructor(text: string, language: string) {
    this.#tokens = toTokens(text, language);
    this.#lineMax = getLineMax(language);
    let width = 0;
    this.#starts = [0, ...this.#tokens.map((token) => (width += token.widthWithSpace))];
  }

  /** In full cues. */
  get size(): number {
    return this.#width / (linesMax * this.#lineMax);
  }

  get #width(): number {
    return Math.max(1, this.#starts.at(-1) ?? 1);
  }

  /**
   * Divides the text into `count` parts, or as many as it has words. They end near to `targets`, shares of the text,
   * and between clauses where that is possible. `shareMax`: of a part, where possible.
   *
   * @returns where each part ends, as a number of tokens
   */
  divide(targets: readonly number[], shareMax: number): { ends: number[]; cost: number } {
    const count = Math.min(targets.length, this.#tokens.length);
    const length = this.#tokens.length;
    // best[end]: of the parts so far, which end before token `end`.
    let best: (number | undefined)[] = [0];
    const origins: number[][] = [];
    for (let part = 0; part < count; part += 1) {
      const isLast = part === count - 1;
      // A text with fewer words than there are cues is divided evenly.
      const target = count < targets.length ? (part + 1) / count : (targets[part] ?? 1);
      const next: (number | undefined)[] = [];
      const from: number[] = [];
      for (let start = part; start < length; start += 1) {
        const before = best[start];
        if (before === undefined) continue;
        for (let end = start + 1; end <= length; end += 1) {
          if (isLast ? end < length : length - end < count - part - 1) continue;
          const away = (this.getShare(end) - target) * count;
          if (away > awayMax) break;
          if (away < -awayMax) continue;
          const ending = isLast ? 0 : (this.#tokens[end - 1]?.endCost ?? 0);
          const cost =
            before + away ** 2 + ending + this.#countFaults(start, end, shareMax) * faultCost;
          if (cost < (next[end] ?? Number.POSITIVE_INFINITY)) {
            next[end] = cost;
            from[end] = start;
          }
        }
      }
      best = next;
      origins.push(from);
    }
    const cost = best[length];
    // A text without words.
    if (cost === undefined) return { ends: [length], cost: faultCost };
    const ends: number[] = [];
    for (let part = count - 1, end = length; part >= 0; part -= 1) {
      ends.unshift(end);
      end = origins[part]?.[end] ?? 0;
    }
    return { ends, cost };
  }

  /** The share of the text before token `end`. */
  getShare = (end: number): number => (this.#starts[end] ?? 0) / this.#width;

  /** The tokens from `start` to before `end`, in full cues. */
  getSize = (start: number, end: number): number =>
    this.#measure(start, end) / (linesMax * this.#lineMax);

  /** The lines of the tokens from `start` to before `end`, with their spaces: as few as possible, of two the shorter first. */
  toLines(start: number, end: number): string[] {
    const lines = this.#wrap(start, end);
    const starts = lines.length === 2 ? [start, this.#balance(start, end)] : lines;
    return starts.map((from, index) =>
      this.#tokens
        .slice(from, starts[index + 1] ?? end)
        .map(({ text }) => text)
        .join(""),
    );
  }

  /** Width of one line of these tokens. */
  #measure(start: number, end: number): number {
    const last = this.#tokens[end - 1];
    const space = last === undefined ? 0 : last.widthWithSpace - last.width;
    return (this.#starts[end] ?? 0) - (this.#starts[start] ?? 0) - space;
  }

  #countFaults(start: number, end: number, shareMax: number): number {
    const width = this.#measure(start, end);
    const lines = width <= this.#lineMax ? 1 : this.#wrap(start, end).length;
    const tooLong = (this.getShare(end) - this.getShare(start)) / shareMax;
    return Math.max(0, lines - linesMax) + (tooLong > 1 ? tooLong : 0);
  }

  /** The tokens with which lines begin that are as full as possible. */
  #wrap(start: number, end: number): number[] {
    const lines = [start];
    for (let at = start + 1; at < end; at += 1)
      if (this.#measure(lines.at(-1) ?? start, at + 1) > this.#lineMax) lines.push(at);
    return lines;
  }

  /** The token with which the second of two lines begins. */
  #balance(start: number, end: number): number {
    let best = { at: start + 1, cost: Number.POSITIVE_INFINITY };
    for (let at = start + 1; at < end; at += 1) {
      const [upper, lower] = [this.#measure(start, at), this.#measure(at, end)];
      if (Math.max(upper, lower) > this.#lineMax) continue;
      const away = Math.abs(upper - lower) / this.#lineMax;
      const cost = away + (this.#tokens[at - 1]?.endCost ?? 0);
      if (cost < best.cost) best = { at, cost };
    }
    return best.at;
  }
}
