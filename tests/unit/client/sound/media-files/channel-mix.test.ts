import { expect, test } from "vitest";
import { measureLevel } from "#client/sound/capture/level.ts";
import { ChannelMeter, mixToMono } from "#client/sound/media-files/channel-mix.ts";
import { createNoise, createVoice } from "#tests/fixtures/voice.ts";

const rate = 16_000;
const voice = createVoice(2_000, rate, 1).map((sample) => sample * 0.3);
const other = createVoice(2_000, rate, 2).map((sample) => sample * 0.3);
const silence = new Float32Array(voice.length);
const scale = (samples: Float32Array, by: number) => samples.map((sample) => sample * by);
const sum = (one: Float32Array, two: Float32Array) =>
  one.map((sample, at) => sample + (two[at] ?? 0));
const hiss = createNoise(2_000, rate, 0.0005, 3);

function mix(planes: readonly Float32Array[]): Float32Array {
  const meter = new ChannelMeter();
  meter.add(planes);
  return mixToMono(planes, meter.findMix());
}

const quietVoice = scale(voice, 0.15);

test.each<[layout: string, planes: readonly Float32Array[], speech: Float32Array]>([
  ["one channel", [voice], voice],
  ["two that are the same", [voice, voice], voice],
  ["two of opposite phase", [voice, scale(voice, -1)], voice],
  ["two of opposite phase and unequal level", [scale(voice, -0.8), voice], voice],
  [
    "two of opposite phase with noise of their own",
    [sum(voice, hiss), sum(scale(voice, -1), createNoise(2_000, rate, 0.0005, 4))],
    voice,
  ],
  ["the right one alone", [silence, voice], voice],
  ["the left one alone, beside hiss", [voice, hiss], voice],
  [
    "5.1, quiet speech in the centre",
    [silence, silence, quietVoice, silence, silence, silence],
    quietVoice,
  ],
  [
    "5.1, speech in the centre and low tones",
    [silence, silence, voice, scale(other, 3), silence, silence],
    voice,
  ],
  ["5.1, music on the sides", [other, other, voice, silence, hiss, hiss], voice],
  ["7.1, speech in the centre", [hiss, hiss, voice, hiss, hiss, hiss, hiss, hiss], voice],
  [
    "5.1 of a recorder that fills the first two",
    [voice, voice, silence, silence, silence, silence],
    voice,
  ],
  ["four microphones, one of which is open", [silence, silence, silence, voice], voice],
])("speech keeps its level: %s", (_, planes, speech) => {
  // A step is a quarter of a dB.
  expect(Math.abs(measureLevel(mix(planes)) - measureLevel(speech))).toBeLessThanOrEqual(5);
});

test("two persons on two channels are both heard", () => {
  const mixed = mix([voice, other]);
  const expected = sum(scale(voice, 0.5), scale(other, 0.5));
  expect(
    Math.max(...mixed.map((sample, at) => Math.abs(sample - (expected[at] ?? 0)))),
  ).toBeLessThan(1e-6);
});

test("sound with other channels than before is their mean", () => {
  expect([...mixToMono([Float32Array.of(1), Float32Array.of(0)], [1])]).toEqual([0.5]);
});
