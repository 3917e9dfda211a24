import { chunkSamples } from "#shared/limits.ts";
import { decodeOpusChunk, opusPacketsPerChunk, silentOpusPacket } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";

const bytesPerSample = 2;
const chunkBytes = chunkSamples * bytesPerSample;

/** A chunk's audio: 13 packets of Opus, or one packet with all samples of PCM. */
export type Packets = readonly Uint8Array[];

export interface ReceivedChunk {
  packets: Packets;
  /** Opus: the last packets of the audio before the chunk, if the client sent them. */
  leadIn: Packets;
  /** What is charged, without lead-in; identifies a chunk that is resent. */
  bytes: Uint8Array;
}

/** What the client reads when its chunk is wrong. */
export const chunkRules: Record<AudioCodec, string> = {
  pcm_s16le: `A chunk holds 1 to ${chunkSamples} samples of 16 bits.`,
  opus: `A chunk holds ${opusPacketsPerChunk} packets of 20 ms, mono.`,
};

/** Reads a chunk of the wire. One that is wrong becomes silence, so that only its own audio is lost. */
export function readChunk(
  codec: AudioCodec,
  payload: Uint8Array,
): ReceivedChunk & { isWrong: boolean } {
  const chunk = codec === "opus" ? readOpus(payload) : readPcm(payload);
  if (chunk) return { ...chunk, isWrong: false };
  return { packets: createSilence(codec), leadIn: [], bytes: payload, isWrong: true };
}

function readPcm(payload: Uint8Array): ReceivedChunk | null {
  const { byteLength } = payload;
  if (byteLength === 0 || byteLength > chunkBytes || byteLength % bytesPerSample !== 0) return null;
  const pcm = padWithSilence(payload);
  return { packets: [pcm], leadIn: [], bytes: pcm };
}

function readOpus(payload: Uint8Array): ReceivedChunk | null {
  const chunk = decodeOpusChunk(payload);
  return chunk && { ...chunk, bytes: payload.subarray(chunk.packetsAt) };
}

function createSilence(codec: AudioCodec): Packets {
  return codec === "opus"
    ? Array<Uint8Array>(opusPacketsPerChunk).fill(silentOpusPacket)
    : [new Uint8Array(chunkBytes)];
}

/** Fills a short last chunk with silence, so that every chunk has the same length on the clock. */
function padWithSilence(pcm: Uint8Array): Uint8Array {
  if (pcm.byteLength === chunkBytes) return pcm;
  const whole = new Uint8Array(chunkBytes);
  whole.set(pcm);
  return whole;
}
