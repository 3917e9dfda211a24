import * as z from "zod/mini";
import type {
  ProviderError,
  ProviderMessage,
  ProviderToken,
} from "#server/recording/room/events.ts";
import { getSpace } from "#shared/join-pieces.ts";
import { defaultSourceLanguage, isSpokenLanguage, type SpokenLanguage } from "#shared/languages.ts";
import { toDeepgramUrl } from "./deepgram-address.ts";
import {
  attachSocket,
  type OpenSpeechSession,
  parseFrame,
  requestSocket,
  type SpeechSettings,
} from "./speech-session.ts";

/**
 * The live transcription of Deepgram, and of self-hosted servers that speak its protocol.
 *
 * Source: https://developers.deepgram.com/reference/speech-to-text/listen-streaming
 */

type DeepgramSettings = Extract<SpeechSettings, { service: "Deepgram" }>;

/** Time for the answer to a `Finalize`. */
const finalizeAnswerMs = 1_500;

/** The room's marks, as in the tokens of Soniox. */
const endpointMark = "<end>";
const finalizedMark = "<fin>";

const word = z.object({
  word: z.string(),
  punctuated_word: z.optional(z.string()),
  /** Seconds on the stream's clock. */
  start: z.number().check(z.nonnegative()),
  end: z.number().check(z.nonnegative()),
  speaker: z.optional(z.number()),
  /** Only with `language=multi`, and not always. */
  language: z.optional(z.string()),
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

const refusal = z.object({
  err_code: z.optional(z.string()),
  err_msg: z._default(z.string(), ""),
  request_id: z.optional(z.string()),
});

/**
 * Addresses of servers that answered a `Finalize` with an error, as WhisperLiveKit does: they get `CloseStream` alone,
 * as do those whose settings say so (`hasFinalize`).
 */
const serversWithoutFinalize = new Set<string>();

/**
 * Converts a frame of the service to a message for the room; null if it says nothing about words. `language`: of words
 * that do not say theirs.
 */
export function parseDeepgramFrame(
  data: unknown,
  language: SpokenLanguage = defaultSourceLanguage,
): ProviderMessage | null {
  const parsed = frame.safeParse(parseFrame(data));
  if (!parsed.success) return null;
  if (parsed.data.type === "Error") return createError(500, { err_msg: parsed.data.description });
  const { is_final: isFinal, start, duration, channel, speech_final, from_finalize } = parsed.data;
  const processedMs = toMs(start + duration);
  const { words, transcript } = channel.alternatives[0] ?? { words: [], transcript: "" };
  const texts = joinWords(words, transcript, language);
  const tokens: ProviderToken[] = words.map((one, index) => ({
    text: texts[index] ?? "",
    isFinal,
    startMs: toMs(one.start),
    endMs: toMs(one.end),
    speaker: one.speaker === undefined ? null : `${one.speaker + 1}`,
    ...parseLanguage(one),
  }));
  const rest = findUnlisted(transcript, texts.join("").trim());
  if (rest !== "")
    tokens.push({
      text: (/^\p{P}+$/u.test(rest) ? "" : getSpace(texts.at(-1) ?? "", rest, language)) + rest,
      ...{ isFinal, speaker: null },
      ...{ startMs: toMs(words.at(-1)?.end ?? start), endMs: processedMs },
    });
  if (isFinal && speech_final) tokens.push(createMark(endpointMark));
  if (from_finalize) tokens.push(createMark(finalizedMark));
  return { type: "progress", tokens, finalMs: isFinal ? processedMs : toMs(start), processedMs };
}

const getText = (one: Word) => one.punctuated_word ?? one.word;

/** `zh-HK` is `zh`: the product knows no regions of spoken languages. */
function parseLanguage(one: Word): { language?: SpokenLanguage } {
  const [language] = one.language?.split("-") ?? [];
  return isSpokenLanguage(language) ? { language } : {};
}

/** The words' texts with the space before each. Only the transcript knows before which words of Thai there is one. */
function joinWords(words: readonly Word[], transcript: string, language: SpokenLanguage): string[] {
  let at = 0;
  return words.map((one, index) => {
    const text = getText(one);
    const { language: spoken = language } = parseLanguage(one);
    const found = transcript.indexOf(text, at);
    const isJoined = spoken === "th" && found === at;
    if (found !== -1) at = found + text.length;
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

/**
 * A refusal is reported as an error message before this throws.
 *
 * Deepgram does not answer a `Finalize` that finds little audio. Only the end of a stream proves that all
 * its words have arrived, so `CloseStream` follows a `Finalize` without an answer; the room opens another
 * stream when there is audio again.
 */
export const openDeepgramSession: OpenSpeechSession<DeepgramSettings> = async (
  settings,
  start,
  handlers,
  signal,
) => {
  const { apiKey } = settings;
  const authorization = apiKey === "" ? null : `Token ${apiKey}`;
  const address = toDeepgramUrl(settings, start);
  let response = await requestSocket(address, authorization, signal);
  // The keyterms may be what it refuses: they come from a person's text, and their limit may change.
  if (response.status === 400 && new URL(address).searchParams.has("keyterm")) {
    await response.body?.cancel();
    const plain = toDeepgramUrl(settings, { ...start, context: "" });
    response = await requestSocket(plain, authorization, signal);
  }
  if (!response.webSocket) {
    const { data } = refusal.safeParse(parseFrame((await response.text()).slice(0, 2_000)));
    handlers.message(createError(toErrorCode(response.status), data));
    throw new Error(`The speech service answered ${response.status}`);
  }
  let processedMs = 0;
  let hasInterim = false;
  let unansweredFinalizes = 0;
  let isEnding = false;
  let finalizeTimer: ReturnType<typeof setTimeout> | undefined;

  /** All words of the audio before `CloseStream` have arrived. */
  const onStreamEnd = () => {
    for (; unansweredFinalizes > 0; unansweredFinalizes -= 1) {
      const tokens = [createMark(finalizedMark)];
      handlers.message({ type: "progress", tokens, finalMs: processedMs, processedMs });
    }
  };
  const { send, close } = attachSocket(response.webSocket, {
    message(data) {
      if (isEnding && endMetadata.safeParse(parseFrame(data)).success) onStreamEnd();
      const message = parseDeepgramFrame(data, start.languages[0]);
      if (message === null) return;
      if (message.type === "progress") {
        processedMs = Math.max(processedMs, message.processedMs);
        hasInterim = message.tokens.some((token) => !token.isFinal);
        if (message.tokens.some(({ text }) => text === finalizedMark)) {
          unansweredFinalizes = Math.max(0, unansweredFinalizes - 1);
          if (unansweredFinalizes === 0) clearTimeout(finalizeTimer);
        }
      } else if (unansweredFinalizes > 0 && !isEnding) serversWithoutFinalize.add(settings.url);
      handlers.message(message);
    },
    closed(code) {
      clearTimeout(finalizeTimer);
      // A stream without audio ends without, and so do those of WhisperLiveKit before August 2026.
      if (isEnding && code === 1000 && !hasInterim) onStreamEnd();
      handlers.closed(code);
    },
  });
  const endStream = () => {
    clearTimeout(finalizeTimer);
    if (!isEnding) send(JSON.stringify({ type: "CloseStream" }));
    isEnding = true;
  };
  return {
    // What is sent after `CloseStream` is lost; the room keeps it for the next stream.
    sendAudio(data) {
      if (!isEnding) send(data);
    },
    sendControl(type) {
      if (isEnding) return;
      if (type === "keepalive") {
        send(JSON.stringify({ type: "KeepAlive" }));
        return;
      }
      unansweredFinalizes += 1;
      if (!settings.hasFinalize || serversWithoutFinalize.has(settings.url)) {
        endStream();
        return;
      }
      send(JSON.stringify({ type: "Finalize" }));
      clearTimeout(finalizeTimer);
      finalizeTimer = setTimeout(endStream, finalizeAnswerMs);
    },
    close() {
      endStream();
      close();
    },
  };
};

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
