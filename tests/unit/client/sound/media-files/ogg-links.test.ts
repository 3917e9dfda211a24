import { expect, it } from "vitest";
import { joinMedia } from "#client/sound/media-files/join-media.ts";
import type { OpenMedia } from "#client/sound/media-files/media-track.ts";
import { splitOggLinks } from "#client/sound/media-files/ogg-links.ts";
import { openMedia } from "#client/sound/media-files/open-media.ts";
import { writeOggChunk } from "#shared/ogg-opus.ts";
import { opusPacketsPerChunk, silentOpusPacket } from "#shared/opus.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";

/** `chunks` of 260 ms as one Ogg stream. */
function createOgg(serial: number, chunks: number): Uint8Array<ArrayBuffer> {
  const packets = Array.from({ length: opusPacketsPerChunk }, () => silentOpusPacket as Uint8Array);
  const pages = Array.from({ length: chunks }, (_, index) =>
    writeOggChunk({ serial, index, packets, leadIn: [] }),
  );
  return new Uint8Array(Buffer.concat(pages));
}

const readLength = async (file: Blob) => {
  const media = await openMedia(file);
  media.close();
  return media.lengthMs;
};

it("reads all links of a chained Ogg file", async () => {
  const links = [createOgg(1, 20), createOgg(2, 40), createOgg(1, 8)];
  const lengths = await Promise.all(links.map((link) => readLength(new Blob([link]))));
  const chain = new Blob(links);
  expect((await splitOggLinks(chain)).map(({ size }) => size)).toEqual(
    links.map(({ length }) => length),
  );
  const media = await openMedia(chain);
  expect(media.lengthMs).toBeCloseTo(
    lengths.reduce((sum, length) => sum + length, 0),
    3,
  );
  expect(media).toMatchObject({ isMonoOpus: false, tracks: [], track: null });
  media.close();
});

it("finds links that are longer than a block of the file, and what is not Ogg between them", async () => {
  const long = createOgg(1, 20_000);
  expect(long.length).toBeGreaterThan(1_048_576);
  const links = await splitOggLinks(
    new Blob([long, new Uint8Array(5_000).fill(79), createOgg(2, 2)]),
  );
  expect(links.map(({ size }) => size)).toEqual([long.length + 5_000, createOgg(2, 2).length]);
});

it("leaves files alone that are no chain", async () => {
  for (const bytes of [
    createOgg(1, 9),
    encodeWav(new Float32Array(9), 16_000),
    Uint8Array.of(79),
  ]) {
    const file = new Blob([bytes]);
    expect(await splitOggLinks(file)).toEqual([file]);
  }
});

it("reads a file with a link that has headers only", async () => {
  const whole = createOgg(1, 20);
  const headers = createOgg(2, 1).subarray(0, 28 + 19 + 28 + 23);
  const length = await readLength(new Blob([whole]));
  expect(await readLength(new Blob([whole, headers, whole]))).toBeCloseTo(2 * length, 3);
});

/** A recording of `lengthMs`, one block of a sample each second, which tells `id`. */
const createPart = (id: number, lengthMs: number): OpenMedia => ({
  lengthMs,
  isMonoOpus: true,
  canDecode: true,
  async *readBlocks(fromMs) {
    for (let atMs = Math.floor(fromMs / 1_000) * 1_000; atMs < lengthMs; atMs += 1_000)
      yield { samples: Float32Array.of(id), sampleRate: 1, atMs };
  },
  async *readPackets() {},
  close() {},
});

it("plays recordings one after another, from any time on", async () => {
  const media = joinMedia([createPart(1, 2_500), createPart(2, 1_000), createPart(3, 2_000)]);
  const play = async (fromMs: number) => {
    const heard: [id: number | undefined, atMs: number][] = [];
    for await (const { samples, atMs } of media.readBlocks(fromMs)) heard.push([samples[0], atMs]);
    return heard;
  };
  expect(await play(0)).toEqual([
    [1, 0],
    [1, 1_000],
    [1, 2_000],
    [2, 2_500],
    [3, 3_500],
    [3, 4_500],
  ]);
  expect(await play(3_600)).toEqual([
    [3, 3_500],
    [3, 4_500],
  ]);
});
