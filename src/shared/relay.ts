import * as z from "zod/mini";
import { errorCodes } from "./errors.ts";
import { contextText } from "./fields.ts";
import { sourceLanguages, spokenLanguages, translationLanguages } from "./languages.ts";
import {
  chunkSamples,
  relayFrameMaxBytes,
  termMaxLength,
  termTranslationMaxLength,
  topicMaxLength,
} from "./limits.ts";
import { opusChunkMs } from "./opus.ts";

/**
 * Version of the protocol between the browser and a RecordingRoom: `GET /api/recordings/:recordingId`, JSON
 * text frames. Optional fields were added later; a client that sends none of them still works.
 */
export const relayVersion = 2;

/**
 * Query parameter, `1`, of a plain GET that checks whether a connection would be refused. The response is always
 * 200, so that no browser logs an error.
 */
export const preflightParam = "ask";
export const preflightResponse = z.object({
  refusal: z.nullable(z.enum(errorCodes)),
  /** When to try again. */
  retryAfterSeconds: z.optional(z.number()),
});

/** How a chunk is sent: base64 in a text frame, or bytes in a binary frame. */
const audioEncodings = ["base64", "binary"] as const;
export type AudioEncoding = (typeof audioEncodings)[number];

/**
 * `pcm_s16le`: 16-bit little-endian mono PCM, at most 4096 samples in a chunk. `opus`: 13 packets in a chunk
 * (`opus.ts`), only in binary frames and only in a take.
 */
export const audioCodecs = ["pcm_s16le", "opus"] as const;
export type AudioCodec = (typeof audioCodecs)[number];

/** Length of a chunk on the clock, ms. `sampleRate`: Hz. */
export function getChunkMs(codec: AudioCodec, sampleRate: number): number {
  return codec === "opus" ? opusChunkMs : (chunkSamples * 1_000) / sampleRate;
}

const seq = z.int().check(z.nonnegative(), z.maximum(0xffff_ffff));
const milliseconds = z.number().check(z.nonnegative());
/** A time on a clock, ms. The maximum, 31 years, only rejects impossible values. */
const clockMs = z.number().check(z.nonnegative(), z.maximum(1e12));

/** A word or phrase that may be said, and its agreed translation. */
const speechTerm = z.object({
  term: z.string().check(z.maxLength(termMaxLength)),
  translation: z.optional(z.string().check(z.maxLength(termTranslationMaxLength))),
});
export type SpeechTerm = z.infer<typeof speechTerm>;
/** Far more than a client sends. */
const speechTerms = z.array(speechTerm).check(z.maxLength(50));

const configMessage = z.object({
  type: z.literal("config"),
  /** Hz. */
  sampleRate: z.int().check(z.minimum(8_000), z.maximum(48_000)),
  language: z.enum(sourceLanguages),
  /** A second language that is spoken. */
  secondLanguage: z.optional(z.enum(spokenLanguages)),
  diarization: z.optional(z.boolean()),
  version: z.optional(z.int().check(z.positive())),
  audio: z.optional(z.enum(audioEncodings)),
  /**
   * The take whose chunks follow: one uninterrupted run of the microphone, its chunks numbered from 0.
   * Without it, the connection is a take of its own, and chunks may come without numbers.
   */
  take: z.optional(z.uuid()),
  /** Codec of the whole take. Default: `pcm_s16le`. */
  codec: z.optional(z.enum(audioCodecs)),
  /** Number of the first chunk of the take that the client still holds. */
  from: z.optional(seq),
  /** End of the take's final tokens that the client has received, ms on the take's own clock. */
  heldMs: z.optional(clockMs),
  /** End of the lecture's clock as far as the client knows, ms. A new take is placed no earlier. */
  lectureEndMs: z.optional(clockMs),
  context: z.optional(contextText),
  /** The lecture's folders and title, as far as a person wrote them. */
  topic: z.optional(z.string().check(z.maxLength(topicMaxLength))),
  terms: z.optional(speechTerms),
  /**
   * The service is to translate in its stream: into this language, and speech in it into `language` where it is that of
   * `secondLanguage`.
   */
  translateInto: z.optional(z.enum(translationLanguages)),
  /** The client sends probes back. What another client has read is not known. */
  answersProbes: z.optional(z.literal(true)),
});

/** The room's question whether the client reads, and the client's answer: it has read everything before. */
const probeMessage = z.object({
  type: z.literal("probe"),
  probe: z.string().check(z.maxLength(64)),
});

const audioMessage = z.object({
  type: z.literal("audio"),
  /** Base64 of 16-bit little-endian mono PCM, 4096 samples. */
  data: z.string().check(z.maxLength(relayFrameMaxBytes)),
  seq: z.optional(seq),
});

/** What is left of an audio message that is wrong: its number. */
export const relayNumberedAudio = z.object({ type: z.literal("audio"), seq });

export const relayClientMessage = z.discriminatedUnion("type", [
  configMessage,
  audioMessage,
  z.object({ type: z.literal("keepalive") }),
  z.object({ type: z.literal("finalize") }),
  /** Other terms than those of `config` may be said from now on. Only to a room that `acceptsTerms`. */
  z.object({ type: z.literal("terms"), terms: speechTerms }),
  probeMessage,
]);
export type RelayClientMessage = z.infer<typeof relayClientMessage>;
export type RelayConfig = z.infer<typeof configMessage>;

/** A piece of recognised text; `text` includes its leading space. Times are on the lecture's clock. */
const relayToken = z.object({
  text: z.string(),
  is_final: z.boolean(),
  speaker: z.optional(z.string()),
  /** Only where the service finds out which language is spoken. */
  language: z.optional(z.enum(spokenLanguages)),
  start_ms: z.optional(milliseconds),
  end_ms: z.optional(milliseconds),
});
export type RelayToken = z.infer<typeof relayToken>;

/**
 * The translation of the sentence that was spoken from `start_ms` to `end_ms` on the lecture's clock, as far as it is
 * known; it replaces what was sent of that sentence before. `final`: it is whole. `doubtful`: it may be another sentence's.
 */
const relayTranslation = z.object({
  start_ms: milliseconds,
  end_ms: milliseconds,
  text: z.string(),
  language: z.enum(translationLanguages),
  state: z.enum(["interim", "final", "doubtful"]),
});
export type RelayTranslation = z.infer<typeof relayTranslation>;

export const relayServerMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("config_acknowledged"),
    audio: z.optional(z.enum(audioEncodings)),
    take: z.optional(z.uuid()),
    /** Position of the take's chunk 0 on the lecture's clock, ms; may be negative for a continued take. */
    offsetMs: z.optional(z.number()),
    /** Number of the chunk of the take that the room expects next. */
    nextSeq: z.optional(seq),
    /** Only the demo voice is here, and the site has not chosen it. Send no sound unless the person has. */
    needsDemoChoice: z.optional(z.literal(true)),
    /** The room knows the message `terms`. Earlier versions take it for a wrong frame. */
    acceptsTerms: z.optional(z.literal(true)),
    /** The service is asked for the translations that `config` wants. */
    translates: z.optional(z.literal(true)),
  }),
  /** The service has refused to translate in its stream: no translations come. Sent once for each `config`. */
  z.object({ type: z.literal("translation_refused") }),
  z.object({
    type: z.literal("tokens"),
    /** Final tokens come first and are sent once; interim tokens replace those of the previous message. */
    tokens: z.array(relayToken),
    audio_final_proc_ms: milliseconds,
    audio_total_proc_ms: milliseconds,
    /** The speaker has paused after the final tokens of this message. */
    endpoint: z.optional(z.boolean()),
    /** What has changed of sentences' translations; only where the service translates. */
    translations: z.optional(z.array(relayTranslation)),
    /** Nothing is recognised now: the service is at its limit, and the room tries again so long after this message. */
    waitMs: z.optional(milliseconds),
    /** The demo voice writes them: nobody has said them. Only where a stand-in takes the speech service's place. */
    isDemoVoice: z.optional(z.literal(true)),
  }),
  /** Every chunk of the take up to `seq` is covered by final tokens of earlier messages. */
  z.object({
    type: z.literal("ack"),
    seq,
    take: z.optional(z.uuid()),
    /** The service sends nothing in silence: where it has given no words, it may have missed speech. */
    mayLackWords: z.optional(z.literal(true)),
  }),
  z.object({ type: z.literal("finalized") }),
  /** Seconds of the calendar month, or of the day for a guest (UTC), including this recording. */
  z.object({ type: z.literal("timer"), usedSeconds: z.number(), limitSeconds: z.number() }),
  /** Sent once per connection, when five minutes or less of the allowance are left. */
  z.object({ type: z.literal("allowance_low"), remainingSeconds: z.number() }),
  z.object({
    type: z.literal("error"),
    message: z.string(),
    code: z.optional(z.enum(errorCodes)),
    retryable: z.optional(z.boolean()),
    /** When to try again. */
    retryAfterSeconds: z.optional(z.number()),
    /** The chunk of the take that was wrong: silence took its place, and the take goes on. */
    seq: z.optional(seq),
  }),
  probeMessage,
  z.object({ type: z.literal("disconnected"), code: z.int(), reason: z.string() }),
]);
export type RelayServerMessage = z.infer<typeof relayServerMessage>;
export type RelayTokens = Extract<RelayServerMessage, { type: "tokens" }>;
export type RelayAllowance = Extract<RelayServerMessage, { type: "timer" | "allowance_low" }>;

const seqBytes = 4;

/** A binary audio frame: 4 bytes big-endian `seq`, then the chunk in the take's codec. */
export function encodeAudioFrame(sequence: number, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(seqBytes + chunk.byteLength);
  new DataView(frame.buffer).setUint32(0, sequence);
  frame.set(chunk, seqBytes);
  return frame;
}

/** Splits a binary audio frame, whose chunk may be empty; null if it has no number, or is too long. */
export function decodeAudioFrame(
  frame: ArrayBuffer,
): { seq: number; chunk: Uint8Array<ArrayBuffer> } | null {
  if (frame.byteLength < seqBytes || frame.byteLength > relayFrameMaxBytes) return null;
  return { seq: new DataView(frame).getUint32(0), chunk: new Uint8Array(frame, seqBytes) };
}

/** Close codes of our own; 1000, 1001, 1008, 1009 and 1012 keep their standard meaning. */
export const relayClose = {
  normal: 1000,
  goingAway: 1001,
  policy: 1008,
  tooBig: 1009,
  /**
   * The room lost its memory (evicted or redeployed), or the client has not read what it was sent; it must reconnect with
   * `from`.
   */
  restart: 1012,
  /** Another socket took over this recording. */
  replaced: 4001,
} as const;
