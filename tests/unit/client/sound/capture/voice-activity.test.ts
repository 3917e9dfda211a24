import { describe, expect, it } from "vitest";
import { decodePcm, measureLevel } from "#client/sound/capture/level.ts";
import { measureSpeech, VoiceActivity } from "#client/sound/capture/voice-activity.ts";
import { createNoise, createVoice } from "#tests/fixtures/voice.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";

const rate = 16_000;
const frameMs = 20;
const chunkMs = 256;

/** Samples as levels of frames of `ms`. */
function getLevels(samples: Float32Array, ms: number): number[] {
  const length = (ms * rate) / 1_000;
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) =>
    measureLevel(samples.subarray(index * length, (index + 1) * length)),
  );
}

function mix(parts: readonly Float32Array[], noise: number): Float32Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const mixed = createNoise((length * 1_000) / rate, rate, noise, 3).slice(0, length);
  let at = 0;
  for (const part of parts) {
    for (const [index, value] of part.entries())
      mixed[at + index] = (mixed[at + index] ?? 0) + value;
    at += part.length;
  }
  return mixed;
}

const silence = (ms: number) => new Float32Array((ms * rate) / 1_000);

function detect(samples: Float32Array, ms = frameMs): VoiceActivity {
  const activity = new VoiceActivity(ms);
  for (const level of getLevels(samples, ms)) activity.add(level);
  return activity;
}

describe("voice activity", () => {
  it("measures a frame as it measures a chunk", () => {
    const samples = createVoice(chunkMs, rate);
    const level = measureLevel(decodePcm(Uint8Array.from(encodePcm16(samples))));
    expect(getLevels(samples, chunkMs)).toEqual([level]);
  });

  it.each([0, 0.001, 0.01])("finds speech between silence, with noise of %d", (noise) => {
    const voice = createVoice(4_000, rate);
    const { intervals } = detect(mix([silence(3_000), voice, silence(3_000)], noise));
    expect(intervals[0]?.startMs).toBeGreaterThan(2_900);
    expect(intervals[0]?.startMs).toBeLessThan(3_150);
    expect(intervals.at(-1)?.endMs).toBeGreaterThan(6_750);
    expect(intervals.at(-1)?.endMs).toBeLessThan(7_100);
  });

  it("finds speech from the first frame on", () => {
    expect(detect(createVoice(2_000, rate)).intervals[0]?.startMs).toBeLessThan(150);
  });

  it("finds a word of 80 ms", () => {
    const word = createVoice(2_000, rate).slice(1_000, 1_000 + 0.08 * rate);
    const { intervals } = detect(mix([silence(2_000), word, silence(2_000)], 0.002));
    expect(intervals).toHaveLength(1);
  });

  it("takes no click for speech", () => {
    const click = createNoise(10, rate, 0.5);
    expect(detect(mix([silence(2_000), click, silence(2_000)], 0.002)).intervals).toEqual([]);
  });

  it("takes steady noise for speech no longer than 13 s", () => {
    const parts = [createNoise(3_000, rate, 0.002), createNoise(40_000, rate, 0.2)];
    const activity = detect(mix(parts, 0));
    expect(activity.isSpeech).toBe(false);
    expect(measureSpeech(activity.intervals, 0, 43_000)).toBeLessThan(13_500);
  });

  it("keeps the gaps between words in one interval", () => {
    const words = Array.from({ length: 8 }, () => [createVoice(300, rate), silence(200)]).flat();
    expect(detect(mix([silence(1_000), ...words], 0.002)).intervals).toHaveLength(1);
  });

  it("tells from the levels of chunks that somebody speaks", () => {
    const voice = createVoice(8_000, rate);
    const activity = detect(mix([silence(4_000), voice, silence(4_000)], 0.003), chunkMs);
    expect(measureSpeech(activity.intervals, 0, 4_000 - chunkMs)).toBe(0);
    expect(measureSpeech(activity.intervals, 4_000, 12_000)).toBeGreaterThan(6_000);
    expect(measureSpeech(activity.intervals, 12_000 + 2 * chunkMs, 16_000)).toBe(0);
    expect(activity.isSpeech).toBe(false);
  });

  it("finds no speech in a quiet room, from the levels of chunks", () => {
    const activity = detect(createNoise(60_000, rate, 0.004), chunkMs);
    expect(activity.intervals).toEqual([]);
  });

  it("keeps what is not decided, and forgets what is over", () => {
    const activity = new VoiceActivity(frameMs, 1_000);
    for (let count = 0; count < 100; count += 1) activity.add(20);
    activity.add(200);
    expect(activity.decidedMs).toBe(activity.endMs - frameMs);
    for (let count = 0; count < 50; count += 1) activity.add(200);
    activity.dropBefore(10_000);
    expect(activity.intervals).toEqual([{ startMs: 3_000, endMs: 1_000 + 151 * frameMs }]);
    for (let count = 0; count < 50; count += 1) activity.add(20);
    activity.dropBefore(10_000);
    expect(activity.intervals).toEqual([]);
  });
});
