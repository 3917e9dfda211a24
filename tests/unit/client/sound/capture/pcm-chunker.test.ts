import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LoudnessMeter, measureLoudness } from "#client/sound/capture/level.ts";
import { PcmChunker } from "#client/sound/capture/pcm-chunker.ts";
import { chunkSamples } from "#shared/limits.ts";

function chunk(
  rate: number,
  blocks: readonly Float32Array[],
  samples = chunkSamples,
): Int16Array[] {
  const chunks: Int16Array[] = [];
  const chunker = new PcmChunker(rate, samples, (pcm) => chunks.push(new Int16Array(pcm)));
  for (const block of blocks) chunker.push(block);
  chunker.flush();
  return chunks;
}

/** `length` samples that all differ from their neighbours. */
function ramp(length: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => (index % 1_000) / 1_000);
}

describe("chunks", () => {
  test("are as long as the codec wants them", () => {
    const lengths = chunk(16_000, [new Float32Array(8_400)], 4_160).map(({ length }) => length);
    expect(lengths).toEqual([4_160, 4_160, 4_160]);
  });

  test("hold 4096 samples each, little-endian, clipped; the last is padded", () => {
    const samples = new Float32Array(chunkSamples + 3).fill(0.5);
    samples.set([1, -1, 2, -2], 0);
    const [first, second, ...more] = chunk(16_000, [samples]);
    expect(more).toEqual([]);
    expect([...(first ?? []).slice(0, 5)]).toEqual([32767, -32767, 32767, -32767, 16384]);
    expect(second).toHaveLength(chunkSamples);
    expect([...(second ?? []).slice(0, 5)]).toEqual([16384, 16384, 16384, 0, 0]);
  });

  test("nothing to flush gives no chunk", () => {
    expect(chunk(16_000, [new Float32Array(chunkSamples)])).toHaveLength(1);
    expect(chunk(16_000, [])).toHaveLength(0);
  });

  test("do not depend on the size of the blocks, at any rate", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(16_000, 44_100, 48_000, 8_000),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 30 }),
        (rate, sizes) => {
          const total = sizes.reduce((sum, size) => sum + size, 0);
          const all = ramp(total);
          let at = 0;
          const blocks = sizes.map((size) => {
            at += size;
            return all.subarray(at - size, at);
          });
          expect(chunk(rate, blocks)).toEqual(chunk(rate, [all]));
        },
      ),
    );
  });

  test.each([44_100, 48_000])("a tone at %i Hz keeps its pitch and its length", (rate) => {
    const hertz = 440;
    const seconds = 2;
    const tone = Float32Array.from({ length: rate * seconds }, (_, index) =>
      Math.sin((2 * Math.PI * hertz * index) / rate),
    );
    const samples = chunk(rate, [tone]).flatMap((each) => [...each]);
    const spoken = samples.slice(0, 16_000 * seconds);
    let crossings = 0;
    for (let index = 1; index < spoken.length; index += 1) {
      if ((spoken[index - 1] ?? 0) < 0 && (spoken[index] ?? 0) >= 0) crossings += 1;
    }
    expect(Math.abs(crossings - hertz * seconds)).toBeLessThanOrEqual(2);
    expect(samples.slice(16_000 * seconds + 1).every((sample) => sample === 0)).toBe(true);
  });
});

describe("the level", () => {
  test("is 0 for silence, 1 for loud sound, and speech is well visible", () => {
    expect(measureLoudness(new Float32Array(512))).toBe(0);
    expect(measureLoudness(new Float32Array(512).fill(1))).toBe(1);
    expect(measureLoudness(new Float32Array(512).fill(0.05))).toBeGreaterThan(0.3);
    expect(measureLoudness(new Float32Array(0))).toBe(0);
  });

  test("rises at once and falls gently, however often it is read", () => {
    const often = new LoudnessMeter();
    const seldom = new LoudnessMeter();
    expect(often.read(0.8, 0)).toBe(0.8);
    seldom.read(0.8, 0);
    for (let now = 10; now < 100; now += 10) often.read(0, now);
    const fallen = often.read(0, 100);
    expect(fallen).toBeGreaterThan(0.3);
    expect(fallen).toBeLessThan(0.5);
    expect(seldom.read(0, 100)).toBeCloseTo(fallen, 6);
  });
});
