import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DetectedSpeech } from "#client/recognition/device/detected-speech.ts";
import { measureSpeech } from "#client/sound/capture/voice-activity.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const frameMs = 32;

function detect(probabilities: readonly number[], startMs = 0): DetectedSpeech {
  const speech = new DetectedSpeech(startMs);
  for (const probability of probabilities) speech.add(probability);
  return speech;
}

const frames = (count: number, probability: number) => Array<number>(count).fill(probability);

describe("detected speech", () => {
  it("begins with two likely frames, and ends with the last one that may be speech", () => {
    const { intervals, isSpeech, endMs } = detect(
      [...frames(3, 0.1), 0.4, 0.9, ...frames(4, 0.3), ...frames(20, 0.2)],
      1_000,
    );
    expect(intervals).toEqual([{ startMs: 1_000 + 3 * frameMs, endMs: 1_000 + 9 * frameMs }]);
    expect(isSpeech).toBe(false);
    expect(endMs).toBe(1_000 + 29 * frameMs);
  });

  it("takes no single frame for speech, however likely it is", () => {
    expect(detect([0, 1, 0, 1, 0.3, 1, 0]).intervals).toEqual([]);
  });

  it("does not begin with frames that only go on", () => {
    expect(detect(frames(100, 0.35)).intervals).toEqual([]);
  });

  it("keeps gaps between words in one interval, and divides at a pause", () => {
    const word = frames(6, 0.9);
    const speech = detect([...word, ...frames(9, 0), ...word, ...frames(10, 0), ...word]);
    expect(speech.intervals).toEqual([
      { startMs: 0, endMs: 21 * frameMs },
      { startMs: 31 * frameMs, endMs: 37 * frameMs },
    ]);
    expect(speech.isSpeech).toBe(true);
  });

  it("has the voice that is certain by itself, without the breath that follows", () => {
    const word = frames(6, 0.9);
    const speech = detect(
      [
        ...word,
        ...frames(2, 0),
        ...word,
        ...frames(3, 0.3),
        ...word,
        ...frames(5, 0.4),
        0.9,
        0.9,
        0.3,
      ],
      1_000,
    );
    expect(speech.intervals).toEqual([{ startMs: 1_000, endMs: speech.endMs }]);
    expect(speech.voice).toEqual([
      { startMs: 1_000, endMs: 1_000 + 14 * frameMs },
      { startMs: 1_000 + 17 * frameMs, endMs: 1_000 + 23 * frameMs },
    ]);
    speech.dropBefore(1_000 + 15 * frameMs);
    expect(speech.voice).toHaveLength(1);
  });

  it("says nothing of a frame that may begin speech until the next one", () => {
    const speech = detect([0, 0, 0.9]);
    expect([speech.decidedMs, speech.endMs]).toEqual([2 * frameMs, 3 * frameMs]);
    speech.add(0.9);
    expect([speech.decidedMs, speech.endMs]).toEqual([4 * frameMs, 4 * frameMs]);
  });

  it("has every pair of likely frames, divides only at long gaps, and begins nothing in what was decided", () => {
    const probability = fc.constantFrom(0, 0.1, 0.24, 0.25, 0.39, 0.4, 0.8, 1);
    const property = fc.property(fc.array(probability, { maxLength: 120 }), (probabilities) => {
      const speech = new DetectedSpeech();
      let decidedMs = 0;
      let silentMs = 0;
      for (const [index, one] of probabilities.entries()) {
        const { length } = speech.intervals;
        speech.add(one);
        for (const { startMs } of speech.intervals.slice(length))
          expect(startMs).toBeGreaterThanOrEqual(decidedMs);
        expect(speech.decidedMs).toBeGreaterThanOrEqual(decidedMs);
        expect(speech.endMs).toBe((index + 1) * frameMs);
        decidedMs = speech.decidedMs;
        const isPair = one >= 0.4 && (probabilities[index - 1] ?? 0) >= 0.4;
        const [fromMs, toMs] = [(index - 1) * frameMs, (index + 1) * frameMs];
        if (isPair) expect(measureSpeech(speech.intervals, fromMs, toMs)).toBe(2 * frameMs);
        silentMs = one < 0.25 ? silentMs + frameMs : 0;
        if (silentMs >= 300) expect(speech.isSpeech).toBe(false);
      }
      const gaps = speech.intervals.flatMap(({ endMs }, index) => {
        const next = speech.intervals[index + 1];
        return next === undefined ? [] : [next.startMs - endMs];
      });
      expect(Math.min(300, ...gaps)).toBe(300);
    });
    fc.assert(property, { numRuns: countRuns(1_000) });
  });
});
