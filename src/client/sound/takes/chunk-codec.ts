import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import {
  decodeOpusChunk,
  encodeOpusChunk,
  opusPacketsPerChunk,
  silentOpusPacket,
} from "#shared/opus.ts";
import { type AudioCodec, getChunkMs } from "#shared/relay.ts";

/** What differs between the codecs of takes. */

export type ChunkData = Uint8Array<ArrayBuffer>;

/** Length of a captured chunk, ms. */
export const chunkMs: Readonly<Record<AudioCodec, number>> = {
  pcm_s16le: getChunkMs("pcm_s16le", captureSampleRate),
  opus: getChunkMs("opus", captureSampleRate),
};

export const pcmChunkBytes = chunkSamples * 2;

/** Whether the room would accept `data` as a chunk. */
export function isChunk(codec: AudioCodec, data: ChunkData): boolean {
  if (codec === "opus") return decodeOpusChunk(data) !== null;
  return data.byteLength > 0 && data.byteLength % 2 === 0 && data.byteLength <= pcmChunkBytes;
}

export function createSilentChunk(codec: AudioCodec): ChunkData {
  if (codec === "pcm_s16le") return new Uint8Array(pcmChunkBytes);
  const packets = Array<Uint8Array>(opusPacketsPerChunk).fill(silentOpusPacket);
  return encodeOpusChunk({ leadIn: [], packets });
}
