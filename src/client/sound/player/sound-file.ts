import { createSilentChunk } from "#client/sound/takes/chunk-codec.ts";
import type { KeptTake, TakeStorage } from "#client/sound/takes/take-storage.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { writeOggChunk } from "#shared/ogg-opus.ts";
import { decodeOpusChunk } from "#shared/opus.ts";

const chunksPerRead = 512;
export const wavHeaderBytes = 44;
const bytesPerSample = 2;

/** The sound of `takes`, which have one codec, one after another, as a file that every player opens. */
export async function createSoundFile(
  storage: TakeStorage,
  takes: readonly KeptTake[],
): Promise<Blob> {
  const codec = takes[0]?.codec ?? "pcm_s16le";
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const take of takes) {
    for (let from = 0; from < take.nextSeq; from += chunksPerRead) {
      const to = Math.min(take.nextSeq, from + chunksPerRead);
      const chunks = new Map(
        (await storage.readChunks(take.id, from, to)).map(({ seq, data }) => [seq, data]),
      );
      // A chunk that cannot be read becomes silence, so that later ones keep their time.
      for (let seq = from; seq < to; seq += 1)
        parts.push(chunks.get(seq) ?? createSilentChunk(codec));
    }
  }
  if (codec === "opus") return new Blob(parts.map(toOgg), { type: "audio/ogg" });
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
  return new Blob([createWavHeader(bytes), ...parts], { type: "audio/wav" });
}

/** A chunk as a part of an Ogg file. The packets of its lead-in are those of the chunk before. */
function toOgg(chunk: Uint8Array<ArrayBuffer>, index: number): Uint8Array<ArrayBuffer> {
  const packets = (decodeOpusChunk(chunk) ?? decodeOpusChunk(createSilentChunk("opus")))?.packets;
  return writeOggChunk({ serial: 1, index, packets: packets ?? [], leadIn: [] });
}

/** Header of a WAV file with `bytes` of mono 16-bit PCM. */
export function createWavHeader(bytes: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(wavHeaderBytes);
  const view = new DataView(header.buffer);
  const setText = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  setText(0, "RIFF");
  view.setUint32(4, wavHeaderBytes - 8 + bytes, true);
  setText(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, captureSampleRate, true);
  view.setUint32(28, captureSampleRate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, 8 * bytesPerSample, true);
  setText(36, "data");
  view.setUint32(40, bytes, true);
  return header;
}
