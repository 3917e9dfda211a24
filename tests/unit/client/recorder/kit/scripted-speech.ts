import type { HypothesisWord } from "#client/recognition/device/speech-model.ts";
import { captureSampleRate } from "#shared/limits.ts";

/** Speech of numbered words at known times, as sound, as levels, and as what a model like Whisper makes of it. */

export interface ScriptWord {
  /** From 1. */
  number: number;
  startMs: number;
  endMs: number;
}

/** Reproducible numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const wordsPerSentence = 6;

/** Words of 120 to 400 ms. A pause of the speaker follows each `wordsPerBreath` words, and only then. */
export function createScript(
  lengthMs: number,
  { seed = 1, wordsPerBreath = 18, fromMs = 500 } = {},
): ScriptWord[] {
  const random = createRandom(seed);
  const words: ScriptWord[] = [];
  let at = fromMs;
  for (let number = 1; ; number += 1) {
    const endMs = at + 120 + Math.round(280 * random());
    if (endMs > lengthMs - 300) return words;
    words.push({ number, startMs: at, endMs });
    at = endMs + 40 + Math.round(140 * random());
    if (number % wordsPerBreath === 0) at += 900 + Math.round(1_500 * random());
  }
}

export function spell(number: number): string {
  const letters = [...String(number)].map((digit) => "abcdefghij"[Number(digit)]);
  return `w${letters.join("")}${number % wordsPerSentence === 0 ? "." : ""}`;
}

/** The number of a word that `spell` has written; NaN for any other. */
export function readNumber(text: string): number {
  const [, letters] = /^\W*w([a-j]+)\W*$/iu.exec(text) ?? [];
  if (letters === undefined) return Number.NaN;
  const digits = [...letters.toLowerCase()].map((letter) => "abcdefghij".indexOf(letter));
  return Number(digits.join(""));
}

const samplesPerMs = captureSampleRate / 1_000;
/** Amplitude of word 0, in steps of 16-bit samples; the word's number is added. */
const amplitude = 3_000;
const noise = 40;

/** 16-bit samples of the script; a word's number is its amplitude. */
export function createPcm(
  script: readonly ScriptWord[],
  startMs: number,
  lengthMs: number,
): Uint8Array<ArrayBuffer> {
  const pcm = new Int16Array(Math.round(lengthMs * samplesPerMs));
  for (let at = 0; at < pcm.length; at += 1) pcm[at] = at % 2 === 0 ? noise : -noise;
  for (const { number, ...word } of findWords(script, startMs, startMs + lengthMs)) {
    const from = Math.max(0, Math.round((word.startMs - startMs) * samplesPerMs));
    const to = Math.min(pcm.length, Math.round((word.endMs - startMs) * samplesPerMs));
    for (let at = from; at < to; at += 1) pcm[at] = (at % 2 === 0 ? 1 : -1) * (amplitude + number);
  }
  return new Uint8Array(pcm.buffer);
}

/** The words that are partly or wholly between two times; found by halving, because a script may be long. */
export function findWords(
  script: readonly ScriptWord[],
  startMs: number,
  endMs: number,
): ScriptWord[] {
  let [low, high] = [0, script.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((script[middle]?.endMs ?? 0) <= startMs) low = middle + 1;
    else high = middle;
  }
  const found: ScriptWord[] = [];
  for (let at = low; (script[at]?.startMs ?? endMs) < endMs; at += 1) {
    const word = script[at];
    if (word !== undefined) found.push(word);
  }
  return found;
}

/** The words in samples that `createPcm` has made, at their times from the first sample. */
export function readWords(samples: Float32Array): ScriptWord[] {
  const words: ScriptWord[] = [];
  for (let ms = 0; ms * samplesPerMs < samples.length; ms += 1) {
    const value = Math.round(Math.abs(samples[ms * samplesPerMs] ?? 0) * 32_768);
    const number = value - amplitude;
    if (number <= 0) continue;
    const last = words.at(-1);
    if (last?.number === number && last.endMs === ms) last.endMs = ms + 1;
    else words.push({ number, startMs: ms, endMs: ms + 1 });
  }
  return words;
}

/** How often a model makes each mistake, 0 to 1. */
export interface Faults {
  /** Words near the end of a window are others, differently in each window. */
  lateChange: number;
  /** The last words again and again; or no words at all. Never in two calls one after the other. */
  loop: number;
  empty: number;
  /** A sentence for the silence at the end, or behind the window's end. */
  silenceText: number;
  /** One word has the time of another. */
  wrongTime: number;
}

export const noFaults: Faults = { lateChange: 0, loop: 0, empty: 0, silenceText: 0, wrongTime: 0 };
export const whisperFaults: Faults = {
  lateChange: 0.4,
  loop: 0.05,
  empty: 0.05,
  silenceText: 0.3,
  wrongTime: 0.1,
};

/** Times of a model are wrong by up to this. */
const timeErrorMs = 120;
const changingMs = 1_200;

/** What a model makes of the words in a window. */
export class ScriptedModel {
  /** Words of the whole script, for those that a window has cut. */
  readonly #lengths: ReadonlyMap<number, number>;
  readonly #random: () => number;
  #wasFaulty = false;
  calls = 0;

  constructor(
    script: readonly ScriptWord[],
    private readonly faults: Faults = noFaults,
    seed = 7,
    private readonly write = spell,
  ) {
    this.#lengths = new Map(script.map((word) => [word.number, word.endMs - word.startMs]));
    this.#random = createRandom(seed);
  }

  /** `heard`: words with times from the window's start, cut at its bounds. */
  recognize(heard: readonly ScriptWord[], lengthMs: number): HypothesisWord[] {
    const random = this.#random;
    this.calls += 1;
    const isFaulty = !this.#wasFaulty && random() < this.faults.loop + this.faults.empty;
    this.#wasFaulty = isFaulty;
    const isLoop = isFaulty && random() * (this.faults.loop + this.faults.empty) < this.faults.loop;
    if (isFaulty && !isLoop) return [];
    const endsInSpeech = (heard.at(-1)?.endMs ?? 0) > lengthMs - 150;
    const words = heard.flatMap((word) => this.#write(word, lengthMs, endsInSpeech));
    const [first, last] = [words[0], words.at(-1)];
    if (first) first.text = first.text.charAt(0).toUpperCase() + first.text.slice(1);
    if (last && random() < 0.5) last.text = `${last.text.replace(/[.,]$/u, "")}.`;
    const [a, b] = [words[Math.floor(random() * words.length)], last];
    if (a && b && random() < this.faults.wrongTime)
      Object.assign(a, { startMs: b.startMs, endMs: b.endMs });
    if (isLoop) return [...words, ...repeat(words.slice(-3), 12)];
    if (random() < this.faults.silenceText) {
      const startMs = random() < 0.5 ? (last?.endMs ?? 0) + 100 : lengthMs + 400;
      const text = ["Thank", "you", "for", "watching!"];
      words.push(...text.map((one) => ({ text: ` ${one}`, startMs, endMs: startMs + 20 })));
    }
    return words;
  }

  #write(word: ScriptWord, lengthMs: number, endsInSpeech: boolean): HypothesisWord[] {
    const random = this.#random;
    const error = () => Math.round((2 * random() - 1) * timeErrorMs);
    const startMs = Math.max(0, word.startMs + error());
    const at = { startMs, endMs: Math.min(lengthMs, Math.max(startMs + 20, word.endMs + error())) };
    const share = (word.endMs - word.startMs) / (this.#lengths.get(word.number) ?? 1);
    // Half a word may be none, or another one.
    if (share < 0.6) return random() < 0.5 ? [] : [{ text: ` cut${this.calls}x`, ...at }];
    const mayChange = endsInSpeech && word.endMs > lengthMs - changingMs;
    if (mayChange && random() < this.faults.lateChange)
      return [{ text: ` late${this.calls}x`, ...at }];
    return [{ text: ` ${this.write(word.number)}`, ...at }];
  }
}

function repeat(words: readonly HypothesisWord[], times: number): HypothesisWord[] {
  return Array.from({ length: times }, () => words.map((word) => ({ ...word }))).flat();
}
