import type { SourceLanguage } from "#shared/languages.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { decodeOpusChunk, encodeOpusChunk } from "#shared/opus.ts";
import {
  type AudioCodec,
  type AudioEncoding,
  encodeAudioFrame,
  type RelayClientMessage,
  type RelayConfig,
  type RelayServerMessage,
  relayClientMessage,
  relayServerMessage,
  relayVersion,
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

/** Announces the chunks of a take on a connection; see `RelayConfig`. */
export function createConfigMessage(
  config: Required<Pick<RelayConfig, "audio" | "take" | "codec" | "from" | "heldMs">> & {
    language: SourceLanguage;
    diarization: boolean;
    context: string;
    lectureEndMs: number;
  },
): RelayClientMessage {
  const { context, ...rest } = config;
  return {
    type: "config",
    sampleRate: captureSampleRate,
    version: relayVersion,
    ...rest,
    ...(context === "" ? {} : { context }),
  };
}

/** `isContinued`: the room has the chunk before, so it needs no lead-in. */
export function toAudioFrame(
  {
    encoding,
    codec,
    isContinued,
  }: { encoding: AudioEncoding; codec: AudioCodec; isContinued: boolean },
  seq: number,
  data: Uint8Array<ArrayBuffer>,
): string | Uint8Array<ArrayBuffer> {
  const chunk = codec === "opus" && isContinued ? removeOpusLeadIn(data) : data;
  if (encoding === "binary") return encodeAudioFrame(seq, chunk);
  return toTextFrame({ type: "audio", data: toBase64(chunk), seq });
}

function removeOpusLeadIn(data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const chunk = decodeOpusChunk(data);
  return chunk === null ? data : encodeOpusChunk({ ...chunk, leadIn: [] });
}

/** Newer engines have a native encoder, at half the cost. */
interface Base64Bytes {
  toBase64?: () => string;
}

function toBase64(bytes: Uint8Array): string {
  const native: Base64Bytes = bytes as Base64Bytes;
  if (native.toBase64 !== undefined) return native.toBase64();
  return btoa(String.fromCharCode(...bytes));
}
