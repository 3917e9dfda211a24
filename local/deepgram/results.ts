import { hasSpaces } from "#local/soniox/number-words.ts";
import type { Progress, Token } from "#local/soniox/recogniser.ts";
import type { SpokenLanguage } from "#shared/languages.ts";

/** A word in a `Results` message; times are seconds on the stream's clock. */
interface Word {
  word: string;
  punctuated_word: string;
  start: number;
  end: number;
  confidence: number;
  speaker?: number;
  /** Only with `language=multi`. */
  language?: string;
}

/** The service's message about a stretch of audio. Interim ones are replaced by the next message. */
export interface Results {
  type: "Results";
  channel_index: [number, number];
  /** Seconds. */
  start: number;
  duration: number;
  is_final: boolean;
  speech_final: boolean;
  from_finalize: boolean;
  channel: { alternatives: { transcript: string; confidence: number; words: Word[] }[] };
  metadata: { request_id: string };
}

/** Without words, an interim result follows after this much audio, and a final one after this much. */
const emptyInterimMs = 1_000;
const emptyFinalMs = 4_000;

/** Converts the recogniser's parts of words to messages with whole words. */
export class ResultsWriter {
  readonly #requestId: string;
  /** Null: each word says its own. */
  readonly #language: SpokenLanguage | null;
  /** Final parts of a word that may go on. */
  #partial: Token[] = [];
  /** End of the last final message, ms. */
  #finalMs = 0;
  /** Audio up to which a message has been sent, ms. */
  #sentMs = 0;

  constructor(requestId: string, language: SpokenLanguage | null) {
    this.#requestId = requestId;
    this.#language = language;
  }

  /** True with words or at least `audioMs` of audio that no final message covers. */
  hasPending({ tokens, total_audio_proc_ms }: Progress, audioMs: number): boolean {
    const hasWords = this.#partial.length > 0 || tokens.some((token) => !isMark(token));
    return hasWords || total_audio_proc_ms - this.#finalMs >= audioMs;
  }

  /** The messages for `progress`. `flush`: the client's message that it answers. */
  write(progress: Progress, flush: "Finalize" | "CloseStream" | null = null): Results[] {
    const isEndpoint = progress.tokens.some(({ text }) => text === "<end>");
    const tokens = progress.tokens.filter((token) => !isMark(token));
    const words = groupWords([...this.#partial, ...tokens], this.#language);
    const isComplete = (index: number) => flush !== null || isEndpoint || index < words.length - 1;
    const finals = words.filter(
      (parts, index) => parts.every((part) => part.is_final) && isComplete(index),
    );
    const rest = words.slice(finals.length);
    this.#partial = rest.flat().filter((part) => part.is_final);
    const { total_audio_proc_ms: totalMs, final_audio_proc_ms: silentMs } = progress;
    const isLongSilence = words.length === 0 && silentMs - this.#finalMs >= emptyFinalMs;
    const messages: Results[] = [];
    if (finals.length > 0 || flush !== null || isEndpoint || isLongSilence) {
      const wordsMs = finals.at(-1)?.at(-1)?.end_ms ?? 0;
      const endMs = flush === null ? (isLongSilence ? silentMs : wordsMs) : totalMs;
      const untilMs = Math.max(this.#finalMs, endMs);
      messages.push(
        this.#create(finals, untilMs, {
          is_final: true,
          speech_final: isEndpoint || flush !== null,
          from_finalize: flush === "Finalize",
        }),
      );
      this.#finalMs = untilMs;
    }
    if (rest.length > 0 || (messages.length === 0 && totalMs - this.#sentMs >= emptyInterimMs))
      messages.push(
        this.#create(rest, totalMs, {
          is_final: false,
          speech_final: false,
          from_finalize: false,
        }),
      );
    if (messages.length > 0) this.#sentMs = totalMs;
    return messages;
  }

  #create(
    words: Token[][],
    endMs: number,
    flags: Pick<Results, "is_final" | "speech_final" | "from_finalize">,
  ): Results {
    const sound = { startMs: this.#finalMs, endMs, listed: words, spoken: words };
    return createResults(this.#requestId, sound, flags);
  }
}

/**
 * Parts of a word follow one another; the first one begins with a space. Without spaces between words, each part is
 * one, with the mark behind it. `spoken`: the language of parts that do not say theirs.
 */
export function groupWords(tokens: readonly Token[], spoken: SpokenLanguage | null): Token[][] {
  const words: Token[][] = [];
  for (const token of tokens) {
    const language = token.language ?? spoken ?? "en";
    const isWord = hasSpaces(language)
      ? token.text.startsWith(" ")
      : /[\p{L}\p{N}]/u.test(token.text);
    const last = words.at(-1);
    if (isWord || last === undefined) words.push([token]);
    else last.push(token);
  }
  return words;
}

/** A message about the sound from `startMs` to `endMs`, with the `listed` words and the text of the `spoken` ones. */
export function createResults(
  requestId: string,
  sound: { startMs: number; endMs: number; listed: Token[][]; spoken: Token[][] },
  flags: Pick<Results, "is_final" | "speech_final" | "from_finalize">,
): Results {
  const { startMs, endMs, listed, spoken } = sound;
  const words = listed.map(toWord);
  return {
    type: "Results",
    channel_index: [0, 1],
    start: startMs / 1_000,
    duration: Math.max(0, endMs - startMs) / 1_000,
    ...flags,
    channel: {
      alternatives: [
        {
          transcript: spoken
            .flatMap((parts) => parts.map(({ text }) => text))
            .join("")
            .trim(),
          confidence: words.length === 0 ? 0 : 0.98,
          words,
        },
      ],
    },
    metadata: { request_id: requestId },
  };
}

export const isMark = ({ text }: Token) => text === "<end>" || text === "<fin>";

function toWord(parts: readonly Token[]): Word {
  const text = parts
    .map((part) => part.text)
    .join("")
    .trim();
  const { speaker, language } = parts[0] ?? {};
  return {
    word: text.toLowerCase().replace(/[.,!?。।]+$/, ""),
    punctuated_word: text,
    start: (parts[0]?.start_ms ?? 0) / 1_000,
    end: (parts.at(-1)?.end_ms ?? 0) / 1_000,
    confidence: parts[0]?.confidence ?? 0,
    ...(language === undefined ? {} : { language }),
    ...(speaker === undefined ? {} : { speaker: Number(speaker) - 1 }),
  };
}
