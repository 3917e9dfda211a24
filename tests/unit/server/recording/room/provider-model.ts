import type { ProviderMessage, ProviderToken } from "#server/recording/room/events.ts";

const chunkMs = 256;
const wordEveryMs = 430;
const wordMs = 310;
/** Sessions hear the same word at slightly different times. */
const jitterMs = 20;

const startOfWord = (word: number) => word * wordEveryMs + 60;
const endOfWord = (word: number) => startOfWord(word) + wordMs;

/**
 * A session that hears one word every 430 ms of the recording. Its clock begins with its first chunk and
 * is independent of the recording's. A word that its first chunk cuts becomes garbage.
 */
export class ProviderModel {
  open = true;
  ready = false;
  #first: number | null = null;
  #last = -1;
  #told = 0;
  #finalizes = 0;
  #answeredMs = -1;

  /** Words completely between two times of the recording, ms. */
  static wordsWithin(fromMs: number, toMs: number): number[] {
    const words = [];
    for (let word = 0; endOfWord(word) <= toMs; word += 1)
      if (startOfWord(word) >= fromMs) words.push(word);
    return words;
  }

  /** True in the pause between two words, ms of the recording. */
  static isSilentAt(ms: number): boolean {
    const within = ms % wordEveryMs;
    return within < startOfWord(0) - jitterMs || within > endOfWord(0) + jitterMs;
  }

  /** Accepts a chunk; returns its error, if any. */
  hear(seq: number): string | null {
    if (!this.open || !this.ready) return `chunk ${seq} to a session that is not open`;
    const expected = this.#first === null ? seq : this.#last + 1;
    this.#first ??= seq;
    this.#last = seq;
    return seq === expected ? null : `chunk ${seq} where ${expected} was due`;
  }

  finalize(): void {
    this.#finalizes += 1;
  }

  close(): void {
    this.open = false;
  }

  /** Final words of the audio up to `lagMs` before its end, and the rest as interim words. */
  answer(lagMs: number): ProviderMessage | null {
    if (this.#first === null) return null;
    const baseMs = this.#first * chunkMs;
    const endMs = (this.#last + 1) * chunkMs;
    const finalizing = this.#finalizes > 0;
    const finalMs = finalizing ? endMs : Math.max(baseMs, this.#answeredMs, endMs - lagMs);
    this.#answeredMs = finalMs;
    const heard = this.#wordsFrom(baseMs, endMs);
    const finals = heard.filter((word) => endOfWord(word) <= finalMs);
    const tokens = finals.slice(this.#told).map((word) => this.#token(word, baseMs, true));
    this.#told = finals.length;
    for (; this.#finalizes > 0; this.#finalizes -= 1)
      tokens.push({ ...this.#token(0, baseMs, true), text: "<fin>" });
    for (const word of heard.slice(finals.length)) tokens.push(this.#token(word, baseMs, false));
    return { type: "progress", tokens, finalMs: finalMs - baseMs, totalMs: endMs - baseMs };
  }

  /** The words of the audio, including one that its beginning cuts. */
  #wordsFrom(baseMs: number, endMs: number): number[] {
    return ProviderModel.wordsWithin(0, endMs).filter((word) => endOfWord(word) > baseMs);
  }

  #token(word: number, baseMs: number, isFinal: boolean): ProviderToken {
    const cut = startOfWord(word) < baseMs;
    const jitter = ((((word * 7 + (this.#first ?? 0) * 13) % 5) - 2) / 2) * jitterMs;
    const startMs = Math.max(0, startOfWord(word) - baseMs + jitter);
    const endMs = Math.max(startMs, endOfWord(word) - baseMs + jitter);
    return { text: cut ? " NaN" : ` ${word}`, isFinal, startMs, endMs, speaker: null };
  }
}
