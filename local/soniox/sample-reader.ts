import type { Hearing } from "./hearing.ts";
import type { SampleWord } from "./sample-words.ts";
import { blockMs } from "./tones.ts";

export interface SpokenWord extends SampleWord {
  startMs: number;
  endMs: number;
}

/** Voiced time of a word: about 400 ms for an average one, so 2.5 words per second. */
const wordBaseMs = 180;
const letterMs = 45;
/** After this much silence, the start time of an unfinished word is set again by the next voice. */
const forgetStartMs = 1_000;

/**
 * Turns voice into words of the sample lecture: it advances one word for every word's worth of voiced time.
 * Its position depends on the voiced time alone.
 */
export class SampleReader {
  private nextIndex = 0;
  private voicedMs = 0;
  private startMs: number | null = null;
  private lastVoiceMs = Number.NEGATIVE_INFINITY;

  readonly #texts: readonly string[];

  constructor(
    private readonly words: readonly SampleWord[],
    private readonly hearing: Pick<Hearing, "write">,
  ) {
    this.#texts = words.map(({ text }) => text);
  }

  /** Accepts whether the 10 ms that end at `endMs` are voiced; returns the word that they complete, or null. */
  feed(isVoiced: boolean, endMs: number): SpokenWord | null {
    if (!isVoiced) {
      if (endMs - this.lastVoiceMs > forgetStartMs) this.startMs = null;
      return null;
    }
    this.lastVoiceMs = endMs;
    this.startMs ??= endMs - blockMs;
    this.voicedMs += blockMs;
    const getNextWord = this.word();
    if (this.voicedMs < toDurationMs(getNextWord.text)) return null;
    const spoken = { ...getNextWord, startMs: this.startMs, endMs };
    this.nextIndex++;
    this.voicedMs = 0;
    this.startMs = null;
    return spoken;
  }

  /** The word in progress, once half of it has been spoken. */
  get currentWord(): SpokenWord | null {
    const word = this.word();
    return this.startMs !== null && this.voicedMs * 2 >= toDurationMs(word.text)
      ? { ...word, startMs: this.startMs, endMs: this.lastVoiceMs }
      : null;
  }

  /** Start of the word in progress, or null in silence. */
  get currentStartMs(): number | null {
    return this.startMs;
  }

  private word(): SampleWord {
    const index = this.nextIndex % this.words.length;
    const word = this.words[index];
    if (word === undefined) return { text: "", speaker: 0, language: "en" };
    return { ...word, text: this.hearing.write(this.#texts, index) };
  }
}

const toDurationMs = (text: string) => wordBaseMs + letterMs * text.replace(/\P{L}/gu, "").length;
