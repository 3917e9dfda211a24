import type { ProviderMessage, ProviderToken } from "#server/recording/room/events.ts";
import { burstMs, providerPace } from "#server/recording/room/provider-pace.ts";
import { decoderMs } from "#server/recording/room/unanswered-sound.ts";
import type { CodecSounds } from "./codec-sounds.ts";

const wordEveryMs = 430;
const wordMs = 310;
/** Two sessions never report exactly the same time for a word. */
const jitterMs = 20;

const getWordStart = (word: number) => word * wordEveryMs + 60;
const getWordEnd = (word: number) => getWordStart(word) + wordMs;

/**
 * A provider session that recognises one word per 430 ms of the recording. Its clock starts with its first
 * chunk. A word that begins before the first chunk is recognised as garbage.
 */
export class ProviderModel {
  open = true;
  /** Since when it takes sound, ms; null: not yet. */
  readySince: number | null = null;
  #first: number | null = null;
  #last = -1;
  #sentFinals = 0;
  #finalizes = 0;
  #answeredMs = -1;
  readonly #chunkMs: number;
  readonly #hear: ReturnType<CodecSounds["listen"]>;

  /**
   * `takeBegins`: numbers of the chunks that begin a take. `answersSilence` false: as a server like WhisperLiveKit, whose
   * results say nothing of the sound after their last word.
   */
  constructor(
    sounds: CodecSounds,
    takeBegins: ReadonlySet<number>,
    private readonly answersSilence = true,
  ) {
    this.#chunkMs = sounds.chunkMs;
    this.#hear = sounds.listen((id) => !takeBegins.has(id));
  }

  /** Words that begin and end between two times of the recording, ms. */
  static listWords(fromMs: number, toMs: number): number[] {
    const words = [];
    for (let word = 0; getWordEnd(word) <= toMs; word += 1)
      if (getWordStart(word) >= fromMs) words.push(word);
    return words;
  }

  /** True in the pause between two words; `ms` is on the lecture's clock. */
  static isSilentAt(ms: number): boolean {
    const within = ms % wordEveryMs;
    return within < getWordStart(0) - jitterMs || within > getWordEnd(0) + jitterMs;
  }

  get ready(): boolean {
    return this.readySince !== null;
  }

  /** Receives one chunk at `now`. Returns the fault, or null if there is none. */
  receive(data: Uint8Array, now: number): string | null {
    const { id: seq, fault } = this.#hear(data);
    if (!this.open || !this.ready) return `chunk ${seq} to a session that is not open`;
    const expected = this.#first === null ? seq : this.#last + 1;
    this.#first ??= seq;
    this.#last = seq;
    const soundMs = (seq + 1 - this.#first) * this.#chunkMs;
    if (soundMs > burstMs + (now - (this.readySince ?? now)) * providerPace)
      return `chunk ${seq} faster than the provider takes it`;
    return seq === expected ? fault : `chunk ${seq} where ${expected} was due`;
  }

  finalize(): void {
    this.#finalizes += 1;
  }

  close(): void {
    this.open = false;
  }

  /**
   * Words up to `lagMs` before the end of the audio as final ones, the rest as interim ones. `isDeaf`: the second half of
   * the audio is not heard, which the end of a session that has one says.
   */
  answer(lagMs: number, isDeaf = false): ProviderMessage | null {
    if (this.#first === null) return null;
    const baseMs = this.#first * this.#chunkMs;
    const finalizing = this.#finalizes > 0;
    const soundMs = (this.#last + 1 - this.#first) * this.#chunkMs;
    const hasEnd = finalizing && !this.answersSilence;
    const deafMs = Math.max(soundMs / 2, this.#answeredMs - baseMs);
    const heardMs = hasEnd && isDeaf && soundMs - deafMs > decoderMs ? deafMs : soundMs;
    const endMs = baseMs + heardMs;
    const finalMs = finalizing ? endMs : Math.max(baseMs, this.#answeredMs, endMs - lagMs);
    this.#answeredMs = finalMs;
    const words = this.#listSessionWords(baseMs, endMs);
    const finals = words.filter((word) => getWordEnd(word) <= finalMs);
    const tokens = finals.slice(this.#sentFinals).map((word) => this.#token(word, baseMs, true));
    this.#sentFinals = finals.length;
    for (; this.#finalizes > 0; this.#finalizes -= 1)
      tokens.push({ ...this.#token(0, baseMs, true), text: "<fin>" });
    // The speaker pauses.
    if (tokens.length > 0 && finals.length === words.length)
      tokens.push({ ...this.#token(0, baseMs, true), text: "<end>" });
    for (const word of words.slice(finals.length)) tokens.push(this.#token(word, baseMs, false));
    if (!this.answersSilence && !finalizing) {
      const heardMs = tokens.findLast((token) => token.isFinal)?.endMs ?? 0;
      return { type: "progress", tokens, finalMs: heardMs, processedMs: heardMs };
    }
    return {
      type: "progress",
      tokens,
      finalMs: finalMs - baseMs,
      processedMs: endMs - baseMs,
      ...(hasEnd && { heardMs }),
    };
  }

  /** The words of the audio, with the one that begins before it. */
  #listSessionWords(baseMs: number, endMs: number): number[] {
    return ProviderModel.listWords(0, endMs).filter((word) => getWordEnd(word) > baseMs);
  }

  #token(word: number, baseMs: number, isFinal: boolean): ProviderToken {
    const cut = getWordStart(word) < baseMs;
    const jitter = ((((word * 7 + (this.#first ?? 0) * 13) % 5) - 2) / 2) * jitterMs;
    const startMs = Math.max(0, getWordStart(word) - baseMs + jitter);
    const endMs = Math.max(startMs, getWordEnd(word) - baseMs + jitter);
    return { text: cut ? " NaN" : ` ${word}`, isFinal, startMs, endMs, speaker: null };
  }
}
