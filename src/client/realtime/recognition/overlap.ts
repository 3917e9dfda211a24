import type { RelayToken, RelayTokens } from "#shared/relay.ts";

/** Words at the end of a text that the next source may repeat. */
const comparedWords = 30;
/** Words before a common one that are compared too. */
const windowWords = 6;
/** Share of them that must be the same; the rest was recognised differently. */
const equalShare = 0.6;
/** Words at the end of a text that the next source may have recognised differently. */
const differentWordsMax = 2;

/**
 * Number of the first `words` that repeat the end of `before`. Two engines that heard the same sound agree on most
 * words, and never on their times.
 */
export function countRepeatedWords(before: string, words: readonly string[]): number {
  const end = toComparableWords(before).slice(-comparedWords);
  let best = { equal: 0, count: 0 };
  for (let left = 0; left <= differentWordsMax; left += 1) {
    const anchor = end.length - 1 - left;
    for (let at = 0; at < words.length; at += 1) {
      if (end[anchor] === undefined || end[anchor] !== words[at]) continue;
      const length = Math.min(at + 1, windowWords);
      const equal = countEqual(end, anchor, words, at, length);
      // One word alone is often said again, unless it is where the two texts meet.
      const isSure =
        length > 1 ? equal >= 2 && equal >= length * equalShare : left === 0 && at === 0;
      if (isSure && equal > best.equal)
        best = { equal, count: Math.min(words.length, at + 1 + left) };
    }
  }
  return best.count;
}

function countEqual(
  end: readonly string[],
  anchor: number,
  words: readonly string[],
  at: number,
  length: number,
): number {
  let equal = 0;
  for (let back = 0; back < length; back += 1)
    if (end[anchor - back] === words[at - back]) equal += 1;
  return equal;
}

/** Leaves out the first words of an engine where they repeat those of the engine that heard the sound before. */
export class RepeatFilter {
  /** Final tokens, until all that may be repeated are here; null: they were. */
  #held: RelayToken[] | null = [];

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
    this.#held.push(...batch.tokens.filter((token) => token.is_final));
    if (batch.audio_final_proc_ms < untilMs) return { ...batch, tokens: [] };
    const interim = batch.tokens.filter((token) => !token.is_final);
    return { ...batch, tokens: [...this.end(), ...interim] };
  }

  /** What is new of the tokens that were held back. */
  end(): RelayToken[] {
    const held = this.#held ?? [];
    this.#held = null;
    const starts = held.flatMap(({ text }, index) =>
      index === 0 || /^\s/u.test(text) ? [index] : [],
    );
    const words = starts.map((start, index) => {
      const texts = held.slice(start, starts[index + 1]).map(({ text }) => text);
      return toComparableWords(texts.join("")).join("");
    });
    return held.slice(starts[countRepeatedWords(this.before, words)] ?? held.length);
  }
}

/** Shorter overlaps are repeated words of the speaker as often as words that were recognised twice. */
const overlapMinWords = 2;

/**
 * `text` without its first words where they are the last words of `before`: a session that begins while
 * somebody speaks may hear the end of the previous one again.
 */
export function removeOverlap(before: string, text: string): string {
  const end = toComparableWords(before);
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const start = words.map(toComparableWord);
  for (let count = Math.min(end.length, start.length); count >= overlapMinWords; count -= 1) {
    const isOverlap = end.slice(-count).every((word, index) => word === start[index]);
    if (isOverlap) return words.slice(count).join(" ");
  }
  return text;
}

export function toComparableWords(text: string): string[] {
  return text
    .split(/\s+/u)
    .map(toComparableWord)
    .filter((word) => word !== "");
}

function toComparableWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, "");
}
