import { expect, it } from "vitest";
import { isSilent, SilenceDetector } from "#client/sound/capture/silence.ts";

/** A chunk whose largest sample is `peak` of 32,767. */
function chunk(peak: number): Uint8Array<ArrayBuffer> {
  const samples = new Int16Array(4_096);
  samples[2_000] = peak;
  return new Uint8Array(samples.buffer);
}

it("hears nothing in zeros and dither, and something in a quiet room", () => {
  for (const peak of [0, 1, -2, 8]) expect(isSilent(chunk(peak))).toBe(true);
  for (const peak of [9, -9, 30, -32_768]) expect(isSilent(chunk(peak))).toBe(false);
});

it("reports silence after 6 s of it, and its end at once", () => {
  const detector = new SilenceDetector();
  expect(detector.onChunk(chunk(0), 1_000)).toBe(false);
  expect(detector.onChunk(chunk(0), 6_900)).toBe(false);
  expect(detector.onChunk(chunk(0), 7_000)).toBe(true);
  expect(detector.onChunk(chunk(500), 7_256)).toBe(false);
  // A pause begins again.
  expect(detector.onChunk(chunk(0), 7_512)).toBe(false);
  expect(detector.onChunk(chunk(0), 13_600)).toBe(true);
  detector.reset();
  expect(detector.onChunk(chunk(0), 14_000)).toBe(false);
});
