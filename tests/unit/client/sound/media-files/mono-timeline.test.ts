import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MonoTimeline, type SoundBlock } from "#client/sound/media-files/mono-timeline.ts";
import { PacketChunks } from "#client/sound/media-files/packet-chunks.ts";
import { decodeOpusChunk, opusPacketMs, silentOpusPacket } from "#shared/opus.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createFakePacket } from "#tests/unit/client/recorder/kit/fake-packets.ts";

const rate = 1_000;

/** What comes out for `blocks`, one sample a ms. */
function mix(blocks: readonly Partial<SoundBlock>[], startMs = 0): number[] {
  const samples: number[] = [];
  const timeline = new MonoTimeline(startMs, rate, (part) => samples.push(...part));
  for (const block of blocks)
    timeline.add({ samples: new Float32Array(), sampleRate: rate, atMs: 0, ...block });
  return samples;
}
const count = (from: number, to: number) =>
  Float32Array.from({ length: to - from }, (_, at) => from + at);

test("blocks whose times are rounded follow one another without a loss", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: -30, max: 30 })), {
        minLength: 1,
        maxLength: 30,
      }),
      (parts) => {
        let at = 0;
        const blocks = parts.map(([length, jitterMs], index) => {
          const block = { samples: count(at, at + length), atMs: index === 0 ? 0 : at + jitterMs };
          at += length;
          return block;
        });
        expect(mix(blocks)).toEqual([...count(0, at)]);
      },
    ),
    { numRuns: countRuns(200) },
  );
});

test("gaps are silent, and what is there twice or too early is left out", () => {
  const two = { samples: Float32Array.of(0.5, 0), atMs: 0 };
  const late = { samples: Float32Array.of(7), atMs: 60 };
  expect(mix([two, late])).toEqual([0.5, 0, ...Array(58).fill(0), 7]);
  const again = { samples: count(0, 100), atMs: 0 };
  expect(mix([again, again])).toEqual([...count(0, 100)]);
  // The beginning lies within a block.
  expect(mix([{ samples: count(0, 50), atMs: 0 }], 30)).toEqual([...count(30, 50)]);
});

test.each([22_050, 48_000])(
  "a file that goes on at %i Hz goes on with the same tone",
  (otherRate) => {
    const firstRate = 44_100;
    const createTone = (hz: number, fromSecond: number) =>
      Float32Array.from({ length: hz / 10 }, (_, at) =>
        Math.sin(2 * Math.PI * 5_000 * (fromSecond + at / hz)),
      );
    const heard: number[] = [];
    const timeline = new MonoTimeline(0, firstRate, (part) => heard.push(...part));
    for (let block = 0; block < 10; block += 1) {
      const sampleRate = block < 5 ? firstRate : otherRate;
      timeline.add({ samples: createTone(sampleRate, block / 10), sampleRate, atMs: block * 100 });
    }
    // The filter begins with silence.
    const differences = heard.map((sample, at) =>
      Math.abs(at - firstRate / 2) < 200
        ? 0
        : Math.abs(sample - Math.sin((2 * Math.PI * 5_000 * at) / firstRate)),
    );
    expect(Math.max(...differences)).toBeLessThan(0.01);
    expect(Math.abs(heard.length - firstRate)).toBeLessThan(200);
  },
);

/** The numbers of the packets in the chunks, and those of each chunk's lead-in. */
function cut(packets: readonly { data: Uint8Array; atMs: number }[]) {
  const chunks: { leadIn: number[]; packets: number[] }[] = [];
  const read = (packet: Uint8Array) =>
    packet.byteLength === silentOpusPacket.byteLength
      ? -1
      : new DataView(packet.buffer, packet.byteOffset).getUint32(1);
  const cutter = new PacketChunks(0, (data) => {
    const chunk = decodeOpusChunk(data);
    if (chunk === null) throw new Error("no chunk");
    chunks.push({ leadIn: chunk.leadIn.map(read), packets: chunk.packets.map(read) });
  });
  const fits = packets.every(({ data, atMs }) => cutter.add(data, atMs)) && cutter.end();
  return { chunks, fits };
}
const createPackets = (length: number) =>
  Array.from({ length }, (_, index) => ({
    data: createFakePacket(index, 0),
    atMs: index * opusPacketMs,
  }));

test("Opus packets become chunks as they are, the last one filled with silence", () => {
  const { chunks, fits } = cut(createPackets(15));
  expect(fits).toBe(true);
  expect(chunks).toEqual([
    { leadIn: [], packets: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
    { leadIn: [11, 12], packets: [13, 14, ...Array(11).fill(-1)] },
  ]);
});

test("packets of another length, too much data and gaps do not fit", () => {
  const packets = createPackets(26);
  const replace = (at: number, change: Partial<(typeof packets)[0]>) =>
    cut(packets.map((packet, index) => (index === at ? { ...packet, ...change } : packet)));
  const stereo = Uint8Array.of(0b01001100, 1);
  expect(replace(20, { data: stereo })).toMatchObject({ fits: false, chunks: [{}] });
  expect(replace(20, { data: new Uint8Array(400).fill(72) }).fits).toBe(false);
  expect(replace(20, { atMs: 20 * opusPacketMs + 100 }).fits).toBe(false);
  expect(replace(20, { atMs: 20 * opusPacketMs + 7 }).fits).toBe(true);
});
