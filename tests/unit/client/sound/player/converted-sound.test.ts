import { expect, it } from "vitest";
import { createWav, readPcm } from "#client/sound/player/converted-sound.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import type { KeptTake, TakeStorage } from "#client/sound/takes/take-storage.ts";
import { encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";

const samplesPerPacket = 320;

const createTake = (id: string, codec: AudioCodec, nextSeq: number): KeptTake => ({
  ...newTake(id, "lecture", codec),
  bytes: 0,
  createdAt: 0,
  nextSeq,
  placements: [],
});

/** Packets whose second byte is their number in the stream, from 1. */
const packet = (number: number) => Uint8Array.of(72, number % 251);
const opusChunk = (seq: number) => {
  const first = seq * opusPacketsPerChunk;
  const create = (length: number, from: number) =>
    Array.from({ length }, (_, index) => packet(from + index));
  return encodeOpusChunk({
    leadIn: seq === 0 ? [] : create(2, first - 2),
    packets: create(opusPacketsPerChunk, first),
  });
};

/** A storage, and how many chunks were read at once at most. */
function createStorage(missing: readonly number[] = []) {
  const reads: number[] = [];
  const storage = {
    async readChunks(id: string, from: number, to: number) {
      reads.push(to - from);
      const seqs = Array.from({ length: to - from }, (_, index) => from + index);
      return seqs
        .filter((seq) => !missing.includes(seq))
        .map((seq) => ({
          seq,
          data: id === "opus" ? opusChunk(seq) : new Uint8Array(8_192).fill(seq + 1),
        }));
    },
  } as unknown as TakeStorage;
  return { storage, reads };
}

/** A decoder that gives each packet its second byte, as samples. */
const calls: number[][] = [];
const decode = async (packets: readonly Uint8Array[]) => {
  const numbers = packets.map(([, number]) => number ?? 0);
  calls.push(numbers);
  return Float32Array.from(
    { length: packets.length * samplesPerPacket },
    (_, at) => (numbers[Math.floor(at / samplesPerPacket)] ?? 0) / 1_000,
  );
};

it("makes one WAV of all takes, piece by piece, with every packet once and in its place", async () => {
  const { storage, reads } = createStorage();
  const takes = [createTake("opus", "opus", 300), createTake("pcm", "pcm_s16le", 2)];
  const parts: number[] = [];
  const blob = await createWav({ storage, takes, report: (part) => parts.push(part) }, decode);
  const bytes = Buffer.from(await blob.arrayBuffer());
  const packets = 300 * opusPacketsPerChunk;
  const opusBytes = packets * samplesPerPacket * 2;
  expect(blob.type).toBe("audio/wav");
  expect(bytes.toString("latin1", 0, 4)).toBe("RIFF");
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(bytes.readUInt32LE(40)).toBe(opusBytes + 2 * 8_192);
  expect(bytes.length).toBe(44 + opusBytes + 2 * 8_192);
  for (let number = 0; number < packets; number += 1) {
    const sample = bytes.readInt16LE(44 + number * samplesPerPacket * 2);
    expect(sample).toBe(Math.round(((number % 251) / 1_000) * 32_767));
  }
  expect(bytes.subarray(44 + opusBytes, 44 + opusBytes + 8_192).every((byte) => byte === 1)).toBe(
    true,
  );
  // An hour must not be in memory at once.
  expect(Math.max(...reads)).toBeLessThanOrEqual(32);
  expect(calls.length).toBe(Math.ceil(300 / 32));
  expect(parts).toEqual([...parts].sort((a, b) => a - b));
  expect(parts.at(-1)).toBe(1);
});

it("is silent where a chunk cannot be read, so that what follows keeps its time", async () => {
  const { storage } = createStorage([1]);
  const takes = [createTake("pcm", "pcm_s16le", 3)];
  const pieces: Uint8Array[] = [];
  for await (const piece of readPcm({ storage, takes, report: () => {} }, decode))
    pieces.push(piece);
  expect(pieces.map((piece) => [piece.length, piece[0]])).toEqual([
    [8_192, 1],
    [8_192, 0],
    [8_192, 3],
  ]);
});
