import { expect, test } from "vitest";
import { PcmChunker } from "#client/sound/capture/pcm-chunker.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const outputRate = 16_000;

/** All samples that a stream at `rate` becomes, which is pushed in blocks of `blockSize`. */
function convert(rate: number, samples: Float32Array, blockSize: number): Float32Array {
  const parts: Int16Array[] = [];
  const chunker = new PcmChunker(rate, 1_000, (pcm) => parts.push(new Int16Array(pcm)));
  for (let at = 0; at < samples.length; at += blockSize)
    chunker.push(samples.subarray(at, at + blockSize));
  chunker.flush();
  return Float32Array.from(
    parts.flatMap((part) => [...part]),
    (sample) => sample / 32_767,
  );
}

const createTone = (hertz: number, rate: number, seconds = 0.5): Float32Array =>
  Float32Array.from(
    { length: rate * seconds },
    (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate),
  );

/** Loudness of the middle of what comes out for a tone of half of full scale, dB of the tone. */
function measureTone(hertz: number, rate: number): number {
  const middle = convert(rate, createTone(hertz, rate), 128).subarray(1_600, 6_400);
  const power = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length;
  return 10 * Math.log10(power / 0.125);
}

const highRates = [22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000];

test.each(highRates)("tones above what 16 kHz can hold leave nothing in speech: %i Hz", (rate) => {
  const tones = [9_000, 10_000, 11_000, 12_000, 15_000, 20_000, 40_000];
  for (const hertz of tones.filter((tone) => tone < rate / 2))
    expect(measureTone(hertz, rate), `${hertz} Hz`).toBeLessThan(-50);
});

test.each(highRates)("tones of speech keep their level: %i Hz", (rate) => {
  for (const hertz of [200, 440, 1_000, 3_000, 5_000, 6_000, 7_000])
    expect(Math.abs(measureTone(hertz, rate)), `${hertz} Hz`).toBeLessThan(0.5);
});

test.each([8_000, 11_025, 12_000])("a low rate keeps its tones: %i Hz", (rate) => {
  for (const hertz of [200, 1_000, 3_000])
    expect(Math.abs(measureTone(hertz, rate)), `${hertz} Hz`).toBeLessThan(0.5);
});

test.each([8_000, 11_025, 22_050, 44_100, 48_000, 44_056])(
  "a tone comes out as if it had been sampled at 16 kHz, without a trace of the blocks: %i Hz",
  (rate) => {
    const expected = createTone(1_000, outputRate, 1);
    const converted = convert(rate, createTone(1_000, rate, 1), 333);
    const differences = converted
      .subarray(200, outputRate - 200)
      .map((sample, at) => Math.abs(sample - (expected[at + 200] ?? 0)));
    expect(Math.max(...differences)).toBeLessThan(0.001);
  },
);

/** Places of the loudest sample of each second. */
function findClicks(rate: number, seconds: number): number[] {
  const places: number[] = [];
  let second = 0;
  const chunker = new PcmChunker(rate, outputRate, (pcm) => {
    const samples = new Int16Array(pcm);
    places.push(second * outputRate + samples.indexOf(Math.max(...samples)));
    second += 1;
  });
  const one = new Float32Array(rate);
  one[rate / 2] = 1;
  for (let at = 0; at < seconds; at += 1) chunker.push(one);
  chunker.flush();
  return places;
}

// An hour, in the nightly run; the rate has the shortest filter, so that it is soon counted.
test.each([
  { rate: 8_000, seconds: countRuns(3_600) },
  { rate: 44_100, seconds: 60 },
  { rate: 48_000, seconds: 60 },
])("the clock does not drift: $seconds s at $rate Hz", ({ rate, seconds }) => {
  const clicks = findClicks(rate, seconds);
  expect(clicks).toEqual(Array.from({ length: seconds }, (_, at) => (at + 0.5) * outputRate));
});
