import type { RelayToken, RelayTokens } from "#shared/relay.ts";
import { lettersPerWord, listComparable, listUnits, toComparable } from "#shared/word-units.ts";
import { isUnspaced } from "#shared/words.ts";

/** Words at the end of a text that the next source may repeat. */
const comparedWords = 30;
/** Words before a common one that are compared too. */
const windowWords = 6;
/** Share of them that must be the same; the rest was recognised differently. */
const equalShare = 0.6;
/** Words at the end of a text that the next source may have recognised differently. */
const differentWordsMax = 2;

/**
 * Number of the first `units` (`listComparable`) that repeat the end of `before`. Two engines that heard the same sound
 * agree on most words, and never on their times. `heard`: number of units that begin in the sound that both heard.
 */
export function countRepeatedWords(before: string, units: readonly string[], heard = 0): number {
  const all = listComparable(before);
  const perWord = isUnspaced(all.slice(-windowWords).join("")) ? lettersPerWord : 1;
  const end = all.slice(-comparedWords * perWord);
  let best = { score: Number.NEGATIVE_INFINITY, count: 0 };
  for (let left = 0; left <= differentWordsMax * perWord; left += 1) {
    const anchor = end.length - 1 - left;
    for (let at = 0; at < units.length; at += 1) {
      if (end[anchor] === undefined || end[anchor] !== units[at]) continue;
      const length = Math.min(at + 1, windowWords * perWord);
      const equal = countEqual(end, anchor, units, at, length);
      // One word alone is often said again, unless it is where the two texts meet. Where sound begins within a word, that
      // word is another one.
      const differentMax = at < heard ? perWord : 0;
      const isJoint = left === 0 && equal >= perWord && at + 1 - equal <= differentMax;
      const isSure = isJoint || (equal >= 2 * perWord && equal >= length * equalShare);
      // A phrase that is said twice is alike in parts; the place where the texts meet is alike in all.
      const score = equal - (length - equal) - left;
      if (isSure && score > best.score)
        best = { score, count: Math.min(units.length, at + 1 + left) };
    }
  }
  return best.count;
}

function countEqual(
  end: readonly string[],
  anchor: number,
  units: readonly string[],
  at: number,
  length: number,
): number {
  let equal = 0;
  for (let back = 0; back < length; back += 1)
    if (end[anchor - back] === units[at - back]) equal += 1;
  return equal;
}

/** A word may be given before the last chunk of its sound is captured, and later on a busy device, ms. */
const lateSoundMs = 1_000;

/** Leaves out the first words of an engine where they repeat those of the engine that heard the sound before. */
export class RepeatFilter {
  /** Final tokens, until all that may be repeated are here; null: they were. */
  #held: RelayToken[] | null = [];
  /** End of the repeated sound on the lecture's clock, ms. */
  #untilMs = 0;

  /** `before`: the words before. */
  constructor(private readonly before: string) {}

  /** Some tokens may be held back. */
  get isHolding(): boolean {
    return this.#held !== null;
  }

  /**
   * `batch` with what is new of its tokens, which come later by the length of the repeated sound. `untilMs`: where that
   * ends on the lecture's clock.
   */
  apply(batch: RelayTokens, untilMs: number): RelayTokens {
    if (this.#held === null) return batch;
    this.#untilMs = untilMs;
    this.#held.push(...batch.tokens.filter((token) => token.is_final));
    if (batch.audio_final_proc_ms < untilMs + lateSoundMs) return { ...batch, tokens: [] };
    const interim = batch.tokens.filter((token) => !token.is_final);
    return { ...batch, tokens: [...this.end(), ...interim] };
  }

  /** What is new of the tokens that were held back. */
  end(): RelayToken[] {
    const held = this.#held ?? [];
    this.#held = null;
    const { units, starts } = listWords(joinTexts(held));
    const isHeard = ({ start_ms }: RelayToken) =>
      start_ms !== undefined && start_ms < this.#untilMs;
    const heardLength = joinTexts(held.filter(isHeard)).length;
    const heard = starts.filter((start) => start < heardLength).length;
    const count = countRepeatedWords(this.before, units, heard);
    return count === 0 ? held : dropText(held, starts[count] ?? Number.POSITIVE_INFINITY);
  }
}

const joinTexts = (tokens: readonly RelayToken[]) => tokens.map(({ text }) => text).join("");

/** The comparable units of `text`, and where each begins. */
function listWords(text: string): { units: string[]; starts: number[] } {
  const all = listUnits(text).map((one) => ({ ...one, word: toComparable(one.text) }));
  const words = all.filter(({ word }) => word !== "");
  return { units: words.map(({ word }) => word), starts: words.map(({ from }) => from) };
}

/** `tokens` without the first `length` characters of their text. */
function dropText(tokens: readonly RelayToken[], length: number): RelayToken[] {
  let offset = 0;
  return tokens.flatMap((token) => {
    const cut = length - offset;
    offset += token.text.length;
    if (cut <= 0) return token;
    const { text, start_ms, end_ms } = token;
    if (cut >= text.length) return [];
    const rest = { ...token, text: text.slice(cut) };
    if (start_ms === undefined || end_ms === undefined) return rest;
    return { ...rest, start_ms: start_ms + ((end_ms - start_ms) * cut) / text.length };
  });
}

/** Shorter overlaps are repeated words of the speaker as often as words that were recognised twice. */
const overlapMinWords = 2;
const overlapMinLetters = 4;

/**
 * `text` without its first words where they are the last words of `before`: a session that begins while
 * somebody speaks may hear the end of the previous one again.
 */
export function removeOverlap(before: string, text: string): string {
  const { units, starts } = listWords(text);
  const count = countOverlap(listComparable(before), units);
  const repeated = units.slice(0, count);
  const least = isUnspaced(repeated.join("")) ? overlapMinLetters : overlapMinWords;
  return count < least ? text : text.slice(starts[count] ?? text.length).trim();
}

/** The highest number of units that end `before` and begin `after`, in linear time (Knuth, Morris, Pratt). */
export function countOverlap(before: readonly string[], after: readonly string[]): number {
  /** For each beginning of `after`, the length of the longest shorter one that ends it too. */
  const shorter = [0];
  const extend = (count: number, unit: string | undefined) => {
    let length = count;
    while (length > 0 && after[length] !== unit) length = shorter[length - 1] ?? 0;
    return after[length] === unit ? length + 1 : length;
  };
  for (const unit of after.slice(1)) shorter.push(extend(shorter.at(-1) ?? 0, unit));
  let count = 0;
  // A whole beginning goes on as its longest shorter one.
  for (const unit of before.slice(-after.length)) count = extend(count, unit);
  return count;
}
