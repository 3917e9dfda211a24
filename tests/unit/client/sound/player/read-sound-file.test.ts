import { expect, it } from "vitest";
import { readSoundFile } from "#client/sound/player/read-sound-file.ts";
import { createSoundFile } from "#client/sound/player/sound-file.ts";
import type { KeptTake, TakeStorage } from "#client/sound/takes/take-storage.ts";
import { encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";

type Chunk = Uint8Array<ArrayBuffer>;

/** Packets of one frame of 20 ms, of many lengths: one of 255 bytes needs a segment more. */
function createOpusChunks(count: number): Chunk[] {
  let before: Uint8Array[] = [];
  return Array.from({ length: count }, (_, chunk) => {
    const packets = Array.from({ length: opusPacketsPerChunk }, (_packet, index) => {
      const packet = new Uint8Array(index === 3 ? 255 : 20 + index).fill(chunk);
      packet[0] = 0xf8;
      return packet;
    });
    const data = encodeOpusChunk({ leadIn: before, packets });
    before = packets.slice(-2);
    return data;
  });
}

async function copy(codec: AudioCodec, chunks: readonly Chunk[]) {
  const readChunks: TakeStorage["readChunks"] = async (_, from, to) =>
    chunks.slice(from, to).map((data, index) => ({ seq: from + index, data }));
  const take = { id: "a", codec, nextSeq: chunks.length } as KeptTake;
  const file = await createSoundFile({ readChunks } as TakeStorage, [take]);
  return { file, read: await readAll(file, codec) };
}

async function readAll(file: Blob, codec: AudioCodec): Promise<Chunk[]> {
  const read: Chunk[] = [];
  for await (const chunk of readSoundFile(file, codec)) read.push(chunk);
  return read;
}

it("gives back each chunk of a file of Opus, with its lead-in", async () => {
  const chunks = createOpusChunks(600);
  expect((await copy("opus", chunks)).read).toEqual(chunks);
});

it("gives back each chunk of a WAV file", async () => {
  const chunks = Array.from({ length: 515 }, (_, index) => new Uint8Array(8_192).fill(index));
  chunks.push(new Uint8Array(100).fill(7));
  const { read } = await copy("pcm_s16le", chunks);
  // Comparing millions of numbers one by one takes seconds.
  const toHex = (chunk: Chunk) => Buffer.from(chunk).toString("hex");
  expect(read.map(toHex)).toEqual(chunks.map(toHex));
});

it("refuses a file that is cut off, or another one", async () => {
  const { file } = await copy("opus", createOpusChunks(2));
  for (const wrong of [file.slice(0, -1), file.slice(0, file.size - 500), new Blob(["MP3"])])
    await expect(readAll(wrong, "opus")).rejects.toThrow(RangeError);
});

it("holds a part of a long file at a time", async () => {
  const chunks = createOpusChunks(4_000);
  const { file } = await copy("opus", chunks);
  const parts: number[] = [];
  const watched = Object.create(file, {
    size: { value: file.size },
    slice: {
      value: (from: number, to: number) => {
        const part = file.slice(from, to);
        parts.push(part.size);
        return part;
      },
    },
    arrayBuffer: { value: () => Promise.reject(new Error("The file is read as a whole")) },
  });
  const read = await readAll(watched, "opus");
  const toHex = (chunk: Chunk) => Buffer.from(chunk).toString("hex");
  expect(read.map(toHex)).toEqual(chunks.map(toHex));
  expect(file.size).toBeGreaterThan(2 * 1024 * 1024);
  expect(Math.max(...parts)).toBeLessThanOrEqual(1024 * 1024);
});
