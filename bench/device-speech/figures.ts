import { percentile } from "#bench/percentiles.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { Recognition } from "./recognition.ts";
import { followInterim, listShown, type Shown, type ShownWord } from "./shown-words.ts";
import { findVoice, placeWords, type SpokenWord } from "./spoken-words.ts";
import type { Clip, SpeechStream } from "./streams.ts";
import {
  measureOverlap,
  mergeStretches,
  type Stretch,
  subtractStretches,
  sumLengths,
} from "./stretches.ts";
import { alignWords } from "./word-errors.ts";

/** What is measured of a stream's recognition. Times are ms; NaN: there is nothing to measure. */
export interface Figures {
  wordErrors: number;
  wordCount: number;
  /** From where a word ends, about, until it appears, final or not: median, 9th decile. */
  firstMs: readonly [number, number];
  /** The same until it is final: median, 9th decile, longest. */
  finalMs: readonly [number, number, number];
  /** Words that appeared before they were final, and how many of them changed or disappeared. */
  interimCount: number;
  rewrittenCount: number;
  /** Words where nobody speaks: final ones, and others that appeared. */
  phantoms: readonly [number, number];
  /**
   * Stretches with more than 1 s of voice in which neither a word lies nor a gap, or in which words were said that are
   * missing.
   */
  wordless: readonly Stretch[];
  /** Speech of which the page says that it has no words. */
  gaps: readonly Stretch[];
  /** How far words begin, and end, from where they do; of each word of which that is known. */
  startMs: readonly number[];
  endMs: readonly number[];
  /** Share of a core that computes while somebody speaks, and while nobody does. */
  busySpeech: number;
  busySilence: number;
  /** Computing time for each second of sound, s. */
  computeFactor: number;
}

/** A word that appeared is the same as a final one, if their middles are this near. */
const sameWordMs = 500;
/** A word this far from speech was said by nobody, unless the same one was said so near to it: then its time is wrong. */
const phantomMs = 500;
const misplacedMs = 3_000;
/** What a model gives a word beyond this is a pause, or speech without words, as far as times tell. */
const wordMaxMs = 1_000;
const wordlessMinMs = 1_000;
/** For so long after somebody has spoken, the last words are being recognised. */
const settleMs = 3_000;

const listTexts = (words: readonly { text: string }[]) => words.map(({ text }) => text);
const toStretch = ({ start, end }: Clip) => ({ startMs: start * 1_000, endMs: end * 1_000 });
const getMiddle = ({ startMs, endMs }: Stretch) => (startMs + endMs) / 2;

export function measure(stream: SpeechStream, { batches, gaps, busy }: Recognition): Figures {
  const { samples, clips } = stream;
  const soundMs = (samples.length * 1_000) / captureSampleRate;
  const shown = listShown(batches);
  const finals = shown.flatMap(({ finals }) => finals);
  const { appeared, rewritten } = followInterim(shown);
  const spoken = placeWords(samples, clips);
  const aligned = alignWords(listTexts(spoken), listTexts(finals));
  const { firstMs, finalMs, startMs, endMs } = listDelays(spoken, shown, aligned);
  const speech = clips.filter(({ text }) => text !== "").map(toStretch);
  const isPhantom = (word: ShownWord) => {
    const atMs = getMiddle(word);
    return (
      speech.every(
        ({ startMs, endMs }) => atMs < startMs - phantomMs || atMs > endMs + phantomMs,
      ) &&
      spoken.every(
        ({ text, ...said }) => text !== word.text || Math.abs(getMiddle(said) - atMs) > misplacedMs,
      )
    );
  };
  const active = mergeStretches(
    speech.map(({ startMs, endMs }) => ({ startMs, endMs: endMs + settleMs })),
    soundMs,
  );
  const quiet = subtractStretches([{ startMs: 0, endMs: soundMs }], active);
  const measureBusy = (stretches: readonly Stretch[]) =>
    busy.reduce((sum, one) => sum + measureOverlap(one, stretches), 0) / sumLengths(stretches);
  return {
    wordErrors: aligned.filter(({ isEqual }) => !isEqual).length,
    wordCount: spoken.length,
    firstMs: [percentile(firstMs, 0.5), percentile(firstMs, 0.9)],
    finalMs: [percentile(finalMs, 0.5), percentile(finalMs, 0.9), percentile(finalMs, 1)],
    interimCount: appeared.length,
    rewrittenCount: rewritten.length,
    phantoms: [finals.filter(isPhantom).length, appeared.filter(isPhantom).length],
    wordless: findWordless(stream, finals, listMissing(spoken, aligned), gaps),
    gaps,
    startMs,
    endMs,
    busySpeech: measureBusy(active),
    busySilence: measureBusy(quiet),
    computeFactor: sumLengths(busy) / soundMs,
  };
}

/** Of the words that were recognised as they were said. */
function listDelays(
  spoken: readonly SpokenWord[],
  shown: readonly Shown[],
  aligned: ReturnType<typeof alignWords>,
) {
  const finals = shown.flatMap(({ atMs, finals }) => finals.map((word) => ({ ...word, atMs })));
  const delays = {
    firstMs: [] as number[],
    finalMs: [] as number[],
    startMs: [] as number[],
    endMs: [] as number[],
  };
  for (const { expected, found, isEqual } of aligned) {
    const said = spoken[expected ?? -1];
    const word = finals[found ?? -1];
    if (!isEqual || said === undefined || word === undefined) continue;
    const isSame = ({ text, ...other }: ShownWord) =>
      text === word.text && Math.abs(getMiddle(other) - getMiddle(word)) <= sameWordMs;
    const first = shown.find(({ interim }) => interim.some(isSame))?.atMs ?? word.atMs;
    delays.firstMs.push(Math.min(first, word.atMs) - said.endMs);
    delays.finalMs.push(word.atMs - said.endMs);
    if (said.hasStart) delays.startMs.push(Math.abs(word.startMs - said.startMs));
    if (said.hasEnd) delays.endMs.push(Math.abs(word.endMs - said.endMs));
  }
  return delays;
}

/**
 * Stretches with too much voice to be without words: between two words in time, or of words that were said one after the
 * other and are missing.
 */
function findWordless(
  { samples, clips }: SpeechStream,
  finals: readonly ShownWord[],
  missing: readonly Stretch[],
  gaps: readonly Stretch[],
): Stretch[] {
  const speech = clips.filter(({ text }) => text !== "");
  const voice = speech.flatMap((clip) => findVoice(samples, clip));
  const covered = finals.map(({ startMs, endMs }) => ({
    startMs,
    endMs: Math.min(endMs, startMs + wordMaxMs),
  }));
  const uncovered = subtractStretches(speech.map(toStretch), covered);
  const isLong = (one: Stretch) => measureOverlap(one, voice) > wordlessMinMs;
  const found = subtractStretches([...uncovered.filter(isLong), ...missing], gaps).filter(isLong);
  return mergeStretches(
    found.toSorted((one, other) => one.startMs - other.startMs),
    Number.POSITIVE_INFINITY,
  );
}

/** Where words lie that were said one after the other, and of which none was recognised. */
function listMissing(
  spoken: readonly SpokenWord[],
  aligned: ReturnType<typeof alignWords>,
): Stretch[] {
  const isMissing = spoken.map(() => false);
  for (const { expected, found } of aligned)
    if (expected !== null && found === null) isMissing[expected] = true;
  return spoken.flatMap((word, first) => {
    if (!isMissing[first] || isMissing[first - 1]) return [];
    const next = isMissing.indexOf(false, first);
    const last = next === -1 ? spoken.at(-1) : spoken[next - 1];
    return [{ startMs: word.startMs, endMs: last?.endMs ?? word.endMs }];
  });
}
