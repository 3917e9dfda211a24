import * as z from "zod/mini";
import { errorCodes } from "./errors.ts";
import { sourceLanguages } from "./languages.ts";
import { contextMaxLength, relayFrameMaxBytes } from "./limits.ts";

/**
 * The wire between the browser and a RecordingRoom: `GET /api/recordings/:recordingId`, JSON text
 * frames. Optional fields are our extension of the specification's relay; a client that sends none
 * of them still works.
 */
export const relayVersion = 2;

/** Query, `1`, on a plain GET: answers 200 with what would be refused, so that no browser logs an error. */
export const preflightParam = "ask";
export const preflightResponse = z.object({ refusal: z.nullable(z.enum(errorCodes)) });

/** How a chunk travels: as base64 in a text frame, or as the bytes of a binary frame. */
const audioEncodings = ["base64", "binary"] as const;
export type AudioEncoding = (typeof audioEncodings)[number];

/** What a chunk holds: 16-bit little-endian mono PCM. */
export const audioCodecs = ["pcm_s16le"] as const;
export type AudioCodec = (typeof audioCodecs)[number];

const seq = z.int().check(z.nonnegative(), z.maximum(0xffff_ffff));
const milliseconds = z.number().check(z.nonnegative());
/** A place on a clock, ms. No recording lasts longer: 31 years. */
const clockMs = z.number().check(z.nonnegative(), z.maximum(1e12));

const configMessage = z.object({
  type: z.literal("config"),
  /** Hz. */
  sampleRate: z.int().check(z.minimum(8_000), z.maximum(48_000)),
  language: z.enum(sourceLanguages),
  diarization: z.optional(z.boolean()),
  version: z.optional(z.int().check(z.positive())),
  audio: z.optional(z.enum(audioEncodings)),
  /**
   * The take whose chunks follow: one uninterrupted run of the microphone, numbered from 0. A client
   * that names none gets a take of its connection.
   */
  take: z.optional(z.uuid()),
  codec: z.optional(z.enum(audioCodecs)),
  /** Number of the take's first chunk that the client still holds. */
  from: z.optional(seq),
  /** End of the final words of the take that the client holds, ms on the take's own clock. */
  heldMs: z.optional(clockMs),
  /** Where the lecture's clock ends as far as the client knows, ms: a new take is placed no earlier. */
  lectureEndMs: z.optional(clockMs),
  /** Version 1, which numbered chunks on the lecture's clock: first number that the client holds. */
  resumeFrom: z.optional(seq),
  /** Version 1: end of the final words that the client holds, ms on the lecture's clock. */
  finalMs: z.optional(clockMs),
  context: z.optional(z.string().check(z.maxLength(contextMaxLength))),
});

const audioMessage = z.object({
  type: z.literal("audio"),
  /** Base64 of 16-bit little-endian mono PCM, 4096 samples. */
  data: z.string().check(z.maxLength(relayFrameMaxBytes)),
  seq: z.optional(seq),
});

export const relayClientMessage = z.discriminatedUnion("type", [
  configMessage,
  audioMessage,
  z.object({ type: z.literal("keepalive") }),
  z.object({ type: z.literal("finalize") }),
]);
export type RelayClientMessage = z.infer<typeof relayClientMessage>;
export type RelayConfig = z.infer<typeof configMessage>;

/** A piece of recognised text; `text` carries its own leading space. Times are on the recording's clock. */
const relayToken = z.object({
  text: z.string(),
  is_final: z.boolean(),
  speaker: z.optional(z.string()),
  start_ms: z.optional(milliseconds),
  end_ms: z.optional(milliseconds),
});
export type RelayToken = z.infer<typeof relayToken>;

export const relayServerMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("config_acknowledged"),
    audio: z.optional(z.enum(audioEncodings)),
    take: z.optional(z.uuid()),
    /** Where chunk 0 of the take lies on the lecture's clock, ms; may be negative for a take that goes on. */
    offsetMs: z.optional(z.number()),
    /** Number of the take's chunk that the room expects next. */
    nextSeq: z.optional(seq),
  }),
  z.object({
    type: z.literal("tokens"),
    /** Finals come once and first; the interim ones replace those of the message before. */
    tokens: z.array(relayToken),
    audio_final_proc_ms: milliseconds,
    audio_total_proc_ms: milliseconds,
    /** The speaker came to a stop after the finals of this message. */
    endpoint: z.optional(z.boolean()),
  }),
  /** Every chunk of the take up to `seq` is covered by final words that were sent before this message. */
  z.object({ type: z.literal("ack"), seq, take: z.optional(z.uuid()) }),
  z.object({ type: z.literal("finalized") }),
  /** Seconds of the calendar month (UTC), for a guest of the day (UTC), this recording included. */
  z.object({ type: z.literal("timer"), usedSeconds: z.number(), limitSeconds: z.number() }),
  /** Once a connection, when five minutes or less of the allowance are left. */
  z.object({ type: z.literal("allowance_low"), remainingSeconds: z.number() }),
  z.object({
    type: z.literal("error"),
    message: z.string(),
    code: z.optional(z.enum(errorCodes)),
    retryable: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("disconnected"), code: z.int(), reason: z.string() }),
]);
export type RelayServerMessage = z.infer<typeof relayServerMessage>;
export type RelayTokens = Extract<RelayServerMessage, { type: "tokens" }>;
export type RelayAllowance = Extract<RelayServerMessage, { type: "timer" | "allowance_low" }>;

const seqBytes = 4;

/** A binary audio frame: 4 bytes big-endian `seq`, then the PCM bytes. */
export function encodeAudioFrame(sequence: number, pcm: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(seqBytes + pcm.byteLength);
  new DataView(frame.buffer).setUint32(0, sequence);
  frame.set(pcm, seqBytes);
  return frame;
}

/** The parts of a binary audio frame, or null when it is too short, too long or ends in half a sample. */
export function decodeAudioFrame(
  frame: ArrayBuffer,
): { seq: number; pcm: Uint8Array<ArrayBuffer> } | null {
  const bytes = frame.byteLength - seqBytes;
  if (bytes <= 0 || bytes % 2 !== 0 || frame.byteLength > relayFrameMaxBytes) return null;
  return { seq: new DataView(frame).getUint32(0), pcm: new Uint8Array(frame, seqBytes) };
}

/** Close codes of our own; 1000, 1001, 1008, 1009 and 1012 keep their standard meaning. */
export const relayClose = {
  normal: 1000,
  goingAway: 1001,
  policy: 1008,
  tooBig: 1009,
  /** The room lost its memory (evicted, redeployed): connect again with `resumeFrom`. */
  restart: 1012,
  /** Another socket took over this recording. */
  replaced: 4001,
} as const;
