import * as z from "zod/mini";
import type {
  ProviderError,
  ProviderMessage,
  ProviderToken,
} from "#server/recording/room/events.ts";
import { getSpace } from "#shared/join-pieces.ts";
import { defaultSourceLanguage, isSpokenLanguage, type SpokenLanguage } from "#shared/languages.ts";

/**
 * The messages of Deepgram's live transcription.
 *
 * Source: https://developers.deepgram.com/reference/speech-to-text/listen-streaming
 */

/** The room's marks, as in the tokens of Soniox. */
const endpointMark = "<end>";
const finalizedMark = "<fin>";

const word = z.object({
  word: z.string(),
  punctuated_word: z.nullish(z.string()),
  /** Seconds on the stream's clock. */
  start: z.number().check(z.nonnegative()),
  end: z.number().check(z.nonnegative()),
  speaker: z.nullish(z.number()),
  /** Only with `language=multi`, and not always. */
  language: z.nullish(z.string()),
});
type Word = z.infer<typeof word>;

const frame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("Results"),
    /** Seconds. */
    start: z.number(),
    duration: z.number(),
    is_final: z.boolean(),
    speech_final: z._default(z.boolean(), false),
    from_finalize: z._default(z.boolean(), false),
    channel: z.object({
      alternatives: z.array(
        z.object({ transcript: z._default(z.string(), ""), words: z._default(z.array(word), []) }),
      ),
    }),
  }),
  z.object({ type: z.literal("Error"), description: z._default(z.string(), "") }),
]);

/**
 * The last message of a stream, after all its results: it counts their audio. WhisperLiveKit also begins a stream with
 * such a message, of no audio.
 */
const endMetadata = z.object({
  type: z.literal("Metadata"),
  /** Seconds. */
  duration: z.number().check(z.positive()),
});

const beginMetadata = z.object({ type: z.literal("Metadata"), duration: z.literal(0) });

const refusal = z.object({
  err_code: z.optional(z.string()),
  err_msg: z._default(z.string(), ""),
  request_id: z.optional(z.string()),
});

/** A refusal may be an `Error`, after which the stream goes on. */
const configureAnswer = z.object({
  type: z.enum(["ConfigureSuccess", "ConfigureFailure", "Error"]),
  description: z._default(z.string(), ""),
});

/**
 * Converts a message of the service to one for the room; null if it says nothing about words. `language`: of words
 * that do not say theirs.
 */
export function parseDeepgramMessage(
  body: unknown,
  language: SpokenLanguage = defaultSourceLanguage,
): ProviderMessage | null {
  const parsed = frame.safeParse(body);
  if (!parsed.success) return null;
  if (parsed.data.type === "Error") return createError(500, { err_msg: parsed.data.description });
  const { is_final: isFinal, start, duration, channel, speech_final, from_finalize } = parsed.data;
  const endMs = toMs(start + duration);
  const { words, transcript } = channel.alternatives[0] ?? { words: [], transcript: "" };
  const texts = joinWords(words, transcript, language);
  const tokens: ProviderToken[] = words.map((one, index) => ({
    text: texts[index] ?? "",
    isFinal,
    startMs: toMs(one.start),
    endMs: toMs(one.end),
    speaker: typeof one.speaker === "number" ? `${one.speaker + 1}` : null,
    ...parseLanguage(one),
  }));
  const rest = findUnlisted(transcript, texts.join("").trim());
  if (rest !== "")
    tokens.push({
      text: (/^\p{P}+$/u.test(rest) ? "" : getSpace(texts.at(-1) ?? "", rest, language)) + rest,
      isFinal,
      speaker: null,
      startMs: toMs(words.at(-1)?.end ?? start),
      endMs,
    });
  if (isFinal && speech_final) tokens.push(createMark(endpointMark));
  if (from_finalize) tokens.push(createMark(finalizedMark));
  // WhisperLiveKit gives results without a listed word the time of the sound that it has received, heard or not.
  const processedMs = duration > 0 ? endMs : 0;
  return { type: "progress", tokens, finalMs: isFinal ? processedMs : 0, processedMs };
}

const getText = (one: Word) => one.punctuated_word ?? one.word;

/** `zh-HK` is `zh`: the product knows no regions of spoken languages. */
function parseLanguage(one: Word): { language?: SpokenLanguage } {
  const [language] = one.language?.split("-") ?? [];
  return isSpokenLanguage(language) ? { language } : {};
}

/** Characters of the transcript between two of its words. */
const wordReach = 20;

/** A part of the word before: "-hearted" of "cold-hearted", ",000" of "5,000". A message may begin with it. */
const continuesWord = /^(?:-\p{L}|[,.]\p{N})/u;

/**
 * The words' texts with the space before each. Only the transcript knows before which words of Thai there is one, and which
 * parts of a word WhisperLiveKit lists as words of their own.
 */
function joinWords(words: readonly Word[], transcript: string, language: SpokenLanguage): string[] {
  let at = 0;
  return words.map((one, index) => {
    const text = getText(one);
    const { language: spoken = language } = parseLanguage(one);
    const found = transcript.slice(at, at + text.length + wordReach).indexOf(text);
    const isBehind = found === 0 && (index > 0 || spoken === "th");
    const isJoined = isBehind || (index === 0 && continuesWord.test(text));
    if (found !== -1) at += found + text.length;
    const before = words[index - 1];
    return isJoined ? text : getSpace(before ? getText(before) : "", text, spoken) + text;
  });
}

/**
 * What `transcript` has after the words that are `listed`. WhisperLiveKit lists no words of what it is least sure of, and sends punctuation
 * that comes late without its word; earlier versions listed no words of an interim result.
 */
function findUnlisted(transcript: string, listed: string): string {
  const text = transcript.trim();
  return text.startsWith(listed) ? text.slice(listed.length).trim() : "";
}

/** The answer to a `Configure`; null: `body` is none. */
export function parseConfigureAnswer(body: unknown): { isRefused: boolean; detail: string } | null {
  const answer = configureAnswer.safeParse(body).data;
  return answer
    ? { isRefused: answer.type !== "ConfigureSuccess", detail: answer.description.slice(0, 200) }
    : null;
}

/** The answer in place of a stream. */
export const parseRefusal = (status: number, body: unknown): ProviderError =>
  createError(toErrorCode(status), refusal.safeParse(body).data);

/** Length of the sound that a stream has heard, ms, all of whose results have come; null: `body` is no end of a stream. */
export function parseStreamEnd(body: unknown): number | null {
  const end = endMetadata.safeParse(body).data;
  return end ? toMs(end.duration) : null;
}

/** A stream begins with it at WhisperLiveKit, and at no other server. */
export const isStreamBeginning = (body: unknown): boolean => beginMetadata.safeParse(body).success;

/** The room's code for a refused upgrade. 400 to 402 cannot be retried; see `onProviderMessage`. */
function toErrorCode(status: number): number {
  // The key may not use the model.
  if (status === 403) return 401;
  const isWrongRequest = status > 402 && status < 500 && status !== 408 && status !== 429;
  return isWrongRequest ? 400 : status;
}

/** A 429 of the service is its limit of streams at the same time. */
const createError = (code: number, given: z.infer<typeof refusal> = { err_msg: "" }) =>
  ({
    type: "error",
    code,
    errorType: given.err_code ?? null,
    requestId: given.request_id ?? null,
    limit: code === 429 ? "sessions" : null,
    detail: given.err_msg,
  }) satisfies ProviderError;

const toMs = (seconds: number) => Math.round(seconds * 1_000);

const createMark = (text: string): ProviderToken => ({
  text,
  isFinal: true,
  startMs: null,
  endMs: null,
  speaker: null,
});

export const createFinalizedMark = (): ProviderToken => createMark(finalizedMark);

export const isFinalizedMark = ({ text }: ProviderToken): boolean => text === finalizedMark;
