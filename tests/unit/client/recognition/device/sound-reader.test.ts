import * as fc from "fast-check";
import { expect, it } from "vitest";
import { SoundReader } from "#client/recognition/device/sound-reader.ts";
import type { DetectorState } from "#client/recognition/device/speech-model-messages.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createFakePacket, readFakePacket } from "#tests/unit/client/recorder/kit/fake-packets.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";

const frameSamples = 512;
const samplesPerMs = 16;
const chunkSamples = { pcm_s16le: 4_096, opus: 4_160 };
const packetSamples = 320;

/** Sample `at` of the take, as 16 bits; neighbours differ, and none is zero. */
const toPcm = (at: number) => 1 + (at % 30_000);
const toSample = (at: number) => toPcm(at) / 32_768;

/** The sound of a packet whose chunk and place in it are its numbers. */
const decodePacket = (packet: Uint8Array): number[] => {
  const { chunk, word } = readFakePacket(packet) ?? { chunk: 0, word: 0 };
  const from = chunk * chunkSamples.opus + word * packetSamples;
  return Array.from({ length: packetSamples }, (_, at) => toSample(from + at));
};

function createChunk(codec: AudioCodec, seq: number): Uint8Array<ArrayBuffer> {
  if (codec === "pcm_s16le") {
    const from = seq * chunkSamples.pcm_s16le;
    const pcm = Int16Array.from({ length: chunkSamples.pcm_s16le }, (_, at) => toPcm(from + at));
    return new Uint8Array(pcm.buffer);
  }
  const packets = Array.from({ length: opusPacketsPerChunk }, (_, at) => createFakePacket(seq, at));
  return encodeOpusChunk({ leadIn: seq === 0 ? [] : packets.slice(-2), packets });
}

/** A take of `codec`, a reader that begins with chunk `fromSeq`, and what the detector is given. */
function open(codec: AudioCodec, fromSeq: number) {
  const take = new Take(
    {
      storage: new MemoryTakes().openStorage("user-1"),
      clock: new ManualClock(),
      log: { warn: () => {} },
      events: {
        onLoaded() {},
        onStorageState() {},
        onKeptRemoved() {},
        onMissing() {},
      },
    },
    { ...newTake("take", "lecture", codec), engine: "device" },
  );
  const heard: number[] = [];
  const states: (DetectorState | null)[] = [];
  const given: DetectorState[] = [];
  const append = (count: number) => {
    for (let added = 0; added < count; added += 1)
      take.append(createChunk(codec, take.nextSeq), 100);
  };
  append(fromSeq);
  const reader = new SoundReader(
    {
      decodeOpus: async (packets) => Float32Array.from(packets.flatMap(decodePacket)),
      async detectSpeech(samples, state) {
        expect(samples.length % frameSamples).toBe(0);
        heard.push(...samples);
        states.push(state);
        const next = { memory: Float32Array.of(heard.length), context: new Float32Array() };
        given.push(next);
        return {
          probabilities: Array<number>(samples.length / frameSamples).fill(1),
          state: next,
        };
      },
      onRefusedChunk: () => expect.unreachable("no chunk is broken"),
    },
    take,
    fromSeq,
  );
  return { take, reader, heard, states, given, append };
}

it("examines every sample of a take once, in order, and calls nothing silence before", async () => {
  const cases = fc.record({
    codec: fc.constantFrom<AudioCodec>("pcm_s16le", "opus"),
    fromSeq: fc.nat(3),
    arrivals: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  });
  const property = fc.asyncProperty(cases, async ({ codec, fromSeq, arrivals }) => {
    const { take, reader, heard, states, given, append } = open(codec, fromSeq);
    const from = fromSeq * chunkSamples[codec];
    const expectExamined = () => {
      const samples = Math.min(heard.length, (take.nextSeq - fromSeq) * chunkSamples[codec]);
      expect(reader.endMs * samplesPerMs).toBe(from + samples);
      expect(reader.activity.endMs * samplesPerMs).toBe(from + heard.length);
      const frames = heard.length / frameSamples;
      expect(reader.activity.intervals).toEqual(
        frames < 2 ? [] : [{ startMs: from / samplesPerMs, endMs: reader.activity.endMs }],
      );
    };
    for (const count of arrivals) {
      append(count);
      while (await reader.read()) expectExamined();
      // What is left is less than a frame.
      expect(reader.isAtEnd).toBe(true);
      expect(take.lengthMs - reader.endMs).toBeLessThan(frameSamples / samplesPerMs);
      reader.dropBefore(reader.endMs);
    }
    take.end();
    while (await reader.read()) expectExamined();
    expect([reader.isAtEnd, reader.endMs]).toEqual([true, take.lengthMs]);
    const length = (take.nextSeq - fromSeq) * chunkSamples[codec];
    const expected = (at: number) => (at < length ? toSample(from + at) : 0);
    expect(heard.findIndex((sample, at) => sample !== expected(at))).toBe(-1);
    expect(heard.length).toBe(Math.ceil(length / frameSamples) * frameSamples);
    // Nothing is known of the sound before the first chunk.
    expect(states).toEqual([null, ...given.slice(0, -1)].slice(0, states.length));
  });
  await fc.assert(property, { numRuns: countRuns(200) });
});

it("is not at the end of a take that has ended before the rest is examined", async () => {
  const { take, reader, append } = open("opus", 0);
  append(1);
  expect(await reader.read()).toBe(true);
  expect([reader.endMs, reader.isAtEnd]).toEqual([256, true]);
  take.end();
  expect(reader.isAtEnd).toBe(false);
  expect(await reader.read()).toBe(true);
  expect([reader.endMs, reader.activity.endMs, reader.isAtEnd]).toEqual([260, 288, true]);
  expect(await reader.read()).toBe(false);
});
