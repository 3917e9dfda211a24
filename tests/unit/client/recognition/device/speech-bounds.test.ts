import * as fc from "fast-check";
import { expect, it } from "vitest";
import { alignToSpeech } from "#client/recognition/device/speech-bounds.ts";

const toMs = 20_000;
const speech = [
  { startMs: 1_000, endMs: 3_000 },
  { startMs: 4_000, endMs: 6_000 },
];
type Times = readonly (readonly [number, number])[];
/** The times of words that the model places at `times`. */
const align = (times: Times, fromMs = 0, voice: Times = []) =>
  alignToSpeech(
    times.map(([startMs, endMs]) => ({ text: "word", startMs, endMs })),
    { speech, voice: voice.map(([startMs, endMs]) => ({ startMs, endMs })) },
    fromMs,
    toMs,
  ).map(({ startMs, endMs }) => [startMs, endMs]);

it("lets no word begin before its speech, and the last one end there", () => {
  expect(
    align([
      [800, 1_600],
      [1_600, 3_480],
      [3_480, 4_500],
      [4_500, 5_500],
    ]),
  ).toEqual([
    [1_000, 1_600],
    [1_600, 2_950],
    [4_000, 4_500],
    [4_500, 5_950],
  ]);
});

it("ends the last word with the certain voice, not with the noise or the breath that follows", () => {
  const voice = [
    [1_000, 1_800],
    [2_000, 2_600],
  ] as const;
  expect(
    align(
      [
        [1_000, 2_000],
        [2_000, 2_900],
        [4_100, 5_500],
      ],
      0,
      voice,
    ),
  ).toEqual([
    [1_000, 2_000],
    [2_000, 2_550],
    [4_100, 5_950],
  ]);
});

it("leaves words far inside speech, and those outside", () => {
  const times = [
    [2_000, 2_200],
    [7_000, 7_300],
  ] as const;
  expect(align(times)).toEqual(times);
});

it("goes by the sound: speech that it divides begins elsewhere", () => {
  expect(align([[900, 1_700]], 1_200)).toEqual([[900, 1_700]]);
});

it("keeps words in order, without overlap", () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(lengths, (steps) => {
      let clockMs = 500;
      const times = steps.map((step) => {
        const startMs = clockMs;
        clockMs += step;
        return [startMs, clockMs] as const;
      });
      const aligned = align(times).flat();
      expect(aligned).toEqual(aligned.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    }),
  );
});
