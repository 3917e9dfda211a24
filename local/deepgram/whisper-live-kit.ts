import type { Progress, Token } from "#local/soniox/recogniser.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createResults, groupWords, isMark, type Results } from "./results.ts";

/**
 * Converts the recogniser's parts of words to the messages of WhisperLiveKit 0.2.26 (`deepgram_compat.py`), which differ
 * from the service's:
 *
 * - While nothing new is heard, in silence for example, it sends nothing at all.
 * - A final result reaches from its first word to its last, never over silence.
 * - The last word before a pause stays interim until another one follows, or the stream ends.
 * - An interim result lists the words that are agreed upon; its transcript goes on with the others. Without a listed word
 *   it has no length, and begins at the last final word, or, where there is none, at the end of the sound that was received.
 */
export class WhisperLiveKitWriter {
  readonly #requestId: string;
  readonly #language: SpokenLanguage | null;
  /** Parts of words that are agreed upon, and not yet sent as final. */
  #agreed: Token[] = [];
  /** End of the last final word, ms. */
  #finalMs: number | null = null;
  /** Transcript of the last interim result; null: there is none since the last final one. */
  #interim: string | null = null;

  constructor(requestId: string, language: SpokenLanguage | null) {
    this.#requestId = requestId;
    this.#language = language;
  }

  /** `receivedMs`: length of the sound that has come, which may not have been recognised yet. `isEnd`: of the stream. */
  write({ tokens }: Progress, receivedMs: number, isEnd = false): Results[] {
    const parts = [...this.#agreed, ...tokens.filter((token) => !isMark(token))];
    const words = groupWords(parts, this.#language);
    const isAgreed = (word: Token[] | undefined) => word?.every((part) => part.is_final) === true;
    const finals = words.filter(
      (word, index) => isEnd || (isAgreed(word) && index < words.length - 1),
    );
    const rest = words.slice(finals.length);
    const listed = rest.filter(isAgreed);
    this.#agreed = rest.flat().filter((part) => part.is_final);
    const messages: Results[] = [];
    if (finals.length > 0) {
      messages.push(this.#create(finals, finals, receivedMs, true));
      this.#finalMs = finals.at(-1)?.at(-1)?.end_ms ?? null;
      this.#interim = null;
    }
    const interim = this.#create(listed, rest, receivedMs, false);
    const transcript = interim.channel.alternatives[0]?.transcript ?? "";
    if (transcript === (this.#interim ?? "")) return messages;
    this.#interim = transcript;
    return [...messages, interim];
  }

  #create(listed: Token[][], spoken: Token[][], receivedMs: number, isFinal: boolean): Results {
    const startMs = listed[0]?.[0]?.start_ms ?? this.#finalMs ?? receivedMs;
    const endMs = listed.at(-1)?.at(-1)?.end_ms ?? startMs;
    const flags = { is_final: isFinal, speech_final: false, from_finalize: false };
    return createResults(this.#requestId, { startMs, endMs, listed, spoken }, flags);
  }
}
