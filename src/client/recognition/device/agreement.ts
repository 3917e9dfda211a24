import { lettersPerWord, toComparable } from "#shared/word-units.ts";
import type { HypothesisWord } from "./speech-model.ts";

/** How words of one hypothesis are compared with those of another. Times are ms on any clock that both share. */

/** Words of a hypothesis that say as much as one of a script with spaces. */
export const getWordSize = (words: readonly HypothesisWord[]): number =>
  words.some(({ isJoined }) => isJoined) ? lettersPerWord : 1;

/** Number of words in `words`, of which letters of a script without spaces are parts. */
export const countWholeWords = (words: readonly HypothesisWord[]): number =>
  words.reduce((sum, { isJoined }) => sum + (isJoined ? 1 / lettersPerWord : 1), 0);

/** The text of `words`, with a space before the first unless it is joined to what comes before. */
export const joinWords = (words: readonly HypothesisWord[]): string =>
  words.map(({ text, isJoined }) => (isJoined ? text : ` ${text}`)).join("");

/**
 * A word of which a model is as sure as this stays. Chosen on `pauses`, where of 450 words that were followed by another
 * one, the four that changed had at most 0.5 (docs/benchmarks.md).
 */
const certainAt = 0.7;

/**
 * Number of words at the beginning of `current` that may become final: those that two successive hypotheses agree on
 * (LocalAgreement-2, Macháček et al. 2023) or of which the model is certain. They end before `stableMs`, and are followed by
 * another word: the last one has the punctuation of an end, which it may not be.
 */
export function countAgreed(
  previous: readonly HypothesisWord[],
  current: readonly HypothesisWord[],
  stableMs: number,
): number {
  const isStable = ({ text, endMs, certainty = 0 }: HypothesisWord, index: number) =>
    endMs <= stableMs &&
    (certainty >= certainAt || toComparable(text) === toComparable(previous[index]?.text ?? ""));
  const count = current.findIndex((word, index) => !isStable(word, index));
  return count === -1 ? Math.max(0, current.length - 1) : Math.min(count, current.length - 1);
}

/** Words on each side of the joint that are compared. With more, a phrase that is said twice would outweigh the time. */
const jointWords = 5;
/** Further than this from the joint, words are no repetition of those before it. */
const jointReachMs = 3_000;
const [match, mismatch, gap] = [2, -1, -1];
/** Letters that weigh as much as a word against the time: fewer than a word has, because each may be at the joint. */
const letterSize = 2;

/**
 * Number of words at the beginning of `words` that were recognised before: their sound overlaps that of `before`, the
 * comparable words that end at `atMs`. Two recognitions seldom agree on a word's time or spelling, so both count: the
 * cut is where the words before it repeat the end of `before` best (local alignment), and those behind it are what
 * followed then (`after`, comparable), less one point for each `toleranceMs` that it lies away from `atMs`. Without a common
 * word it is the time alone: a word whose middle is before `atMs` was recognised before.
 */
export function findJoint(
  before: readonly string[],
  words: readonly HypothesisWord[],
  atMs: number,
  toleranceMs: number,
  after: readonly string[] = [],
): number {
  const size = getWordSize(words);
  const tail = before.slice(-jointWords * size);
  const next = after.slice(0, jointWords * size);
  const texts = words.map(({ text }) => toComparable(text));
  // scores[i]: of the best alignment that ends with `word` and with word i.
  let scores = Array<number>(words.length + 1).fill(0);
  for (const [position, word] of tail.entries()) {
    // The joint is directly behind what repeats the last word.
    const isLast = position === tail.length - 1;
    const row = [0];
    for (const [index, text] of texts.entries()) {
      const diagonal = (scores[index] ?? 0) + (text === word ? match : mismatch);
      const skipped = Math.max(scores[index + 1] ?? 0, isLast ? 0 : (row[index] ?? 0)) + gap;
      row.push(Math.max(0, diagonal, skipped));
    }
    scores = row;
  }
  let [best, bestScore] = [0, Number.NEGATIVE_INFINITY];
  for (let cut = 0; cut <= words.length; cut += 1) {
    const fromMs = words[cut - 1]?.endMs ?? Number.NEGATIVE_INFINITY;
    const toMs = Math.max(fromMs, words[cut]?.startMs ?? Number.POSITIVE_INFINITY);
    const distanceMs = Math.max(0, fromMs - atMs, atMs - toMs);
    const isNear = distanceMs <= jointReachMs;
    const followers = next.filter((text, index) => text === texts[cut + index]).length;
    const alike = isNear ? ((scores[cut] ?? 0) + followers) / (size === 1 ? 1 : letterSize) : 0;
    const score = alike - distanceMs / toleranceMs;
    if (score > bestScore) [best, bestScore] = [cut, score];
  }
  return best;
}
