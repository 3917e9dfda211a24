import * as z from "zod/mini";
import type {
  ProviderError,
  ProviderMessage,
  ProviderStart,
  ProviderToken,
} from "#server/recording/room/events.ts";
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

/** A pause of this length ends an utterance. */
const endpointMs = 500;
/**
 * Keyterms may have 500 tokens in all; more are refused with 400. The service does not say how it counts, so each byte
 * counts as one token, and one more separates two terms.
 */
const keytermTokensMax = 500;
const keytermsMax = 40;
const keytermMaxLength = 50;
/** Models that accept keyterms; others refuse a stream that has some. */
const keytermModels = /^nova-3/;
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
});

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

/** The last message of a stream, after all its results. */
const metadata = z.object({ type: z.literal("Metadata") });

const refusal = z.object({
  err_code: z.optional(z.string()),
  err_msg: z._default(z.string(), ""),
  request_id: z.optional(z.string()),
});

/** Addresses of servers that answered a `Finalize` with an error, as WhisperLiveKit does: they get `CloseStream`. */
const serversWithoutFinalize = new Set<string>();

/** Converts a frame of the service to a message for the room; null if it says nothing about words. */
export function parseDeepgramFrame(data: unknown): ProviderMessage | null {
  const parsed = frame.safeParse(parseFrame(data));
  if (!parsed.success) return null;
  if (parsed.data.type === "Error") return createError(500, { err_msg: parsed.data.description });
  const { is_final: isFinal, start, duration, channel, speech_final, from_finalize } = parsed.data;
  const processedMs = toMs(start + duration);
  const { words, transcript } = channel.alternatives[0] ?? { words: [], transcript: "" };
  const tokens: ProviderToken[] = words.map((one) => ({
    text: ` ${one.punctuated_word ?? one.word}`,
    isFinal,
    startMs: toMs(one.start),
    endMs: toMs(one.end),
    speaker: one.speaker === undefined ? null : `${one.speaker + 1}`,
  }));
  // Other servers with this protocol (WhisperLiveKit) list no words of an interim result.
  if (words.length === 0 && transcript.trim() !== "")
    tokens.push({
      ...{ text: ` ${transcript.trim()}`, isFinal, speaker: null },
      ...{ startMs: toMs(start), endMs: processedMs },
    });
  if (isFinal && speech_final) tokens.push(createMark(endpointMark));
  if (from_finalize) tokens.push(createMark(finalizedMark));
  return { type: "progress", tokens, finalMs: isFinal ? processedMs : toMs(start), processedMs };
}

/** The address of a stream with the settings of `start`. */
export function toDeepgramUrl({ url, model }: DeepgramSettings, start: ProviderStart): string {
  const address = new URL(url);
  const parameters = {
    model,
    language: "en",
    // The service recognises a container by itself, but only without these.
    ...(start.codec === "pcm_s16le" && {
      encoding: "linear16",
      sample_rate: start.sampleRate,
      channels: 1,
    }),
    interim_results: true,
    punctuate: true,
    smart_format: true,
    diarize: start.diarization,
    endpointing: endpointMs,
  };
  for (const [name, value] of Object.entries(parameters))
    address.searchParams.set(name, String(value));
  const keyterms = keytermModels.test(model) ? listKeyterms(start.context) : [];
  for (const term of keyterms) address.searchParams.append("keyterm", term);
  return address.href;
}

/** The first short phrases of a lecture's context: "Thermodynamics, entropy, Carnot". */
function listKeyterms(context: string): string[] {
  const terms = context
    .split(/[,;\n]/u)
    .map((term) => term.trim())
    .filter((term) => term !== "" && term.length <= keytermMaxLength)
    .slice(0, keytermsMax);
  let tokens = 0;
  return terms.filter((term) => {
    const added = new TextEncoder().encode(term).length + 1;
    if (tokens + added > keytermTokensMax) return false;
    tokens += added;
    return true;
  });
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
      if (isEnding && metadata.safeParse(parseFrame(data)).success) onStreamEnd();
      const message = parseDeepgramFrame(data);
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
      // Other servers with this protocol (WhisperLiveKit) send no metadata at the end.
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
      if (serversWithoutFinalize.has(settings.url)) {
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
