import { expect, it } from "vitest";
import { openMedia } from "#client/sound/media-files/open-media.ts";
import { repairWav } from "#client/sound/media-files/repair-wav.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";

const rate = 16_000;
const seconds = 10;
const fileSizeAt = 4;
const dataSizeAt = 40;

/** Ten seconds of sound, whose header says other lengths. */
function createWav(lengths: Readonly<Record<number, number>>): Uint8Array<ArrayBuffer> {
  const file = encodeWav(new Float32Array(seconds * rate).fill(0.25), rate);
  const view = new DataView(file.buffer);
  for (const [at, length] of Object.entries(lengths)) view.setUint32(Number(at), length, true);
  return file;
}

/** A header of RF64, whose lengths were or were not written. */
function createRf64(fileSize: number, dataSize: number): Uint8Array<ArrayBuffer> {
  const wav = createWav({ [dataSizeAt]: 0xffff_ffff });
  const file = new Uint8Array(wav.length + 36);
  const view = new DataView(file.buffer);
  const write = (at: number, tag: string) => file.set(new TextEncoder().encode(tag), at);
  write(0, "RF64");
  view.setUint32(4, 0xffff_ffff, true);
  write(8, "WAVEds64");
  view.setUint32(16, 28, true);
  view.setBigUint64(20, BigInt(fileSize), true);
  view.setBigUint64(28, BigInt(dataSize), true);
  file.set(wav.subarray(12), 48);
  return file;
}

const bytes = seconds * rate * 2;

it.each<[name: string, file: Uint8Array<ArrayBuffer>]>([
  ["both lengths are 0", createWav({ [fileSizeAt]: 0, [dataSizeAt]: 0 })],
  ["the samples' length is 0", createWav({ [dataSizeAt]: 0 })],
  ["the file's length is 0", createWav({ [fileSizeAt]: 0 })],
  ["both lengths are those of the empty file", createWav({ [fileSizeAt]: 36, [dataSizeAt]: 0 })],
  [
    "both lengths are those of a stream",
    createWav({ [fileSizeAt]: 0xffff_ffff, [dataSizeAt]: 0xffff_ffff }),
  ],
  [
    "the lengths were last written after a second",
    createWav({ [fileSizeAt]: 36 + 32_000, [dataSizeAt]: 32_000 }),
  ],
  ["the lengths of a large file are 0", createRf64(0, 0)],
  ["the lengths of a large file are right", createRf64(bytes + 72, bytes)],
])("reads a WAV file to its end: %s", async (_, file) => {
  const media = await openMedia(new Blob([file]));
  let samples = 0;
  for await (const block of media.readBlocks(0)) samples += block.samples.length;
  media.close();
  expect([Math.round(media.lengthMs), samples]).toEqual([seconds * 1_000, seconds * rate]);
});

it("leaves alone what is no sound behind the samples, and every other file", async () => {
  const named = new Uint8Array([
    ...createWav({}),
    ...new TextEncoder().encode("LIST"),
    ...new Uint8Array(99_999),
  ]);
  for (const bytes of [createWav({}), named, named.subarray(0, -99_000), Uint8Array.of(1, 2)]) {
    const file = new Blob([bytes]);
    expect(await repairWav(file)).toBe(file);
  }
});
