import { type DecodeOpus, decodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { createSilentChunk } from "#client/sound/takes/chunk-codec.ts";
import type { KeptTake, TakeStorage } from "#client/sound/takes/take-storage.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { decodeOpusChunk, opusPacketMs } from "#shared/opus.ts";
import { createWavHeader } from "./sound-file.ts";

/** The sound of takes in other formats than that in which it is kept, for programs that open no Ogg. */

/** So much sound is in memory at once, 8 s, and converted in one go. */
const chunksPerPiece = 32;
const samplesPerPacket = (captureSampleRate * opusPacketMs) / 1_000;

export interface ConvertedSound {
  storage: TakeStorage;
  takes: readonly KeptTake[];
  /** Called with the part that is done, from 0 to 1. */
  report: (part: number) => void;
}

export const canDecodeOpus = (): boolean => typeof AudioDecoder === "function";

/** Mono samples of 16 bits as little-endian bytes, at `captureSampleRate`. */
type Pcm = Uint8Array<ArrayBuffer>;

function toPcm(samples: Float32Array): Pcm {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [index, sample] of samples.entries())
    view.setInt16(index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  return bytes;
}

/** The chunks as PCM. Before the first packets are those of the chunk before, which settle the decoder. */
async function decodeChunks(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  decode: DecodeOpus,
): Promise<Pcm> {
  const silence = decodeOpusChunk(createSilentChunk("opus"));
  const parts = chunks.map((chunk) => decodeOpusChunk(chunk) ?? silence);
  const leadIn = parts[0]?.leadIn ?? [];
  const packets = parts.flatMap((part) => part?.packets ?? []);
  const samples = await decode([...leadIn, ...packets]);
  return toPcm(samples.subarray(leadIn.length * samplesPerPacket));
}

/**
 * All sound of the takes, one after another, in pieces. A chunk that cannot be read is silent.
 *
 * @throws DOMException when a packet cannot be decoded
 */
export async function* readPcm(
  { storage, takes, report }: ConvertedSound,
  decode: DecodeOpus = decodeOpus,
): AsyncGenerator<Pcm> {
  const total = takes.reduce((sum, { nextSeq }) => sum + nextSeq, 0);
  let done = 0;
  for (const { id, nextSeq, codec } of takes) {
    for (let from = 0; from < nextSeq; from += chunksPerPiece) {
      const to = Math.min(nextSeq, from + chunksPerPiece);
      const read = await storage.readChunks(id, from, to);
      const known = new Map(read.map(({ seq, data }) => [seq, data]));
      const chunks = Array.from(
        { length: to - from },
        (_, index) => known.get(from + index) ?? createSilentChunk(codec),
      );
      if (codec === "opus") yield await decodeChunks(chunks, decode);
      else for (const chunk of chunks) yield chunk;
      done += to - from;
      report(done / total);
    }
  }
}

/** A WAV file of all takes. Its pieces are the browser's, which need not hold them in memory. */
export async function createWav(sound: ConvertedSound, decode?: DecodeOpus): Promise<Blob> {
  const pieces: Blob[] = [];
  for await (const pcm of readPcm(sound, decode)) pieces.push(new Blob([pcm]));
  const bytes = pieces.reduce((sum, { size }) => sum + size, 0);
  return new Blob([createWavHeader(bytes), ...pieces], { type: "audio/wav" });
}
