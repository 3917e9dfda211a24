import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { decodeOpusChunk, encodeOpusChunk } from "#shared/opus.ts";
import {
  type AudioCodec,
  encodeAudioFrame,
  type RelayClientMessage,
  type RelayConfig,
  type RelayServerMessage,
  relayClientMessage,
  relayServerMessage,
  relayVersion,
  type SpeechTerm,
} from "#shared/relay.ts";

/** The room's message in a frame; null if this version does not know it. */
export function parseServerFrame(data: unknown): RelayServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    return relayServerMessage.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** `message` as a text frame. @throws ZodError when the room would not accept it */
export function toTextFrame(message: RelayClientMessage): string {
  return JSON.stringify(relayClientMessage.parse(message));
}

/** A lecture's settings in a `config` message. */
export interface LectureSettings {
  diarization: boolean;
  context: string;
  /** End of the words on the lecture's clock, ms. */
  lectureEndMs: number;
  /** What the service is to translate into in its stream; null or missing: it is not. */
  translateInto?: TranslationLanguage | null;
}

/** What the recogniser is told to expect. */
interface Hints {
  topic: string;
  terms: readonly SpeechTerm[];
}

/** Announces the chunks of a take on a connection; see `RelayConfig`. */
export function createConfigMessage(
  { context, translateInto = null, ...settings }: LectureSettings,
  { topic, terms }: Hints,
  { language, secondLanguage }: TakeLanguages,
  position: Required<Pick<RelayConfig, "take" | "codec" | "from" | "heldMs">>,
): RelayClientMessage {
  return {
    type: "config",
    sampleRate: captureSampleRate,
    version: relayVersion,
    audio: "binary",
    answersProbes: true,
    ...settings,
    language,
    ...(secondLanguage !== null && { secondLanguage }),
    ...position,
    ...(context === "" ? {} : { context }),
    ...(translateInto !== null && { translateInto }),
    ...(topic === "" ? {} : { topic }),
    ...(terms.length === 0 ? {} : { terms: [...terms] }),
  };
}

/** `isContinued`: the room has the chunk before, so an Opus chunk needs no lead-in. */
export function toAudioFrame(
  codec: AudioCodec,
  seq: number,
  data: Uint8Array<ArrayBuffer>,
  isContinued: boolean,
): Uint8Array<ArrayBuffer> {
  const opus = codec === "opus" && isContinued ? decodeOpusChunk(data) : null;
  return encodeAudioFrame(seq, opus === null ? data : encodeOpusChunk({ ...opus, leadIn: [] }));
}
