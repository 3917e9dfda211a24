import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMissedSpeech } from "#client/recognition/missed-speech.ts";
import { measureSpeech, type SpeechInterval } from "#client/sound/capture/voice-activity.ts";

const word = (startMs: number, endMs: number) => ({ text: "word", startMs, endMs });
const speech = (...ends: number[]): SpeechInterval[] =>
  ends.flatMap((startMs, index) => {
    const endMs = ends[index + 1];
    return index % 2 === 0 && endMs !== undefined ? [{ startMs, endMs }] : [];
  });

describe("speech without words", () => {
  it.each([
    ["behind the last word", [word(0, 1_000)], speech(0, 1_000, 1_800, 3_000), [1_800, 3_000]],
    ["before the first word", [word(2_000, 3_000)], speech(200, 1_700, 2_000, 3_000), [200, 1_700]],
    ["between two words", [word(0, 500), word(3_000, 3_500)], speech(0, 3_500), [700, 2_800]],
    [
      "under a word that is too long",
      [word(0, 9_000)],
      speech(0, 1_000, 4_000, 6_000),
      [4_000, 6_000],
    ],
    ["in syllables", [], speech(0, 300, 500, 800, 1_000, 1_300), [0, 1_300]],
    ["too short for a window", [word(0, 1_000)], speech(0, 1_000, 1_500, 2_100), null],
    ["in parts far from each other", [], speech(0, 400, 1_500, 1_900, 3_000, 3_400), null],
    ["under words", [word(0, 900), word(1_000, 1_900)], speech(0, 2_000), null],
    ["nowhere", [], [], null],
  ])("%s", (_where, words, intervals, found) => {
    const missed = found && { startMs: found[0], endMs: found[1] };
    expect(findMissedSpeech(words, intervals, 0, 10_000)).toEqual(missed);
  });

  it("is found where there is speech of a second, further than a second from every word, and only there", () => {
    const time = fc.integer({ min: 0, max: 30_000 });
    const interval = fc.tuple(time, fc.integer({ min: 50, max: 4_000 }));
    const property = fc.property(
      fc.array(interval, { maxLength: 12 }),
      fc.array(fc.tuple(time, fc.integer({ min: 0, max: 3_000 })), { maxLength: 12 }),
      (parts, spoken) => {
        const intervals: SpeechInterval[] = [];
        for (const [startMs, length] of parts.toSorted(([a], [b]) => a - b))
          if (startMs > (intervals.at(-1)?.endMs ?? -1))
            intervals.push({ startMs, endMs: startMs + length });
        const words = spoken
          .toSorted(([a], [b]) => a - b)
          .map(([startMs, length]) => word(startMs, startMs + length));
        const missed = findMissedSpeech(words, intervals, 0, 40_000);
        const isNear = ({ startMs, endMs }: SpeechInterval, reachMs: number) =>
          words.some(
            (one) =>
              one.startMs < endMs + reachMs &&
              Math.min(one.endMs, one.startMs + 1_500) > startMs - reachMs,
          );
        if (missed === null) {
          for (const one of intervals)
            for (let startMs = one.startMs; startMs + 1_000 <= one.endMs; startMs += 100)
              expect(isNear({ startMs, endMs: startMs + 1_000 }, 1_000)).toBe(true);
          return;
        }
        expect(measureSpeech(intervals, missed.startMs, missed.endMs)).toBeGreaterThanOrEqual(700);
        expect(isNear(missed, 199)).toBe(false);
      },
    );
    fc.assert(property);
  });
});
