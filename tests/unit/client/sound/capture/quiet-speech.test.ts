import { expect, it } from "vitest";
import { QuietSpeech } from "#client/sound/capture/quiet-speech.ts";
import { createNoise, createVoice } from "#tests/fixtures/voice.ts";

const rate = 16_000;
const chunkMs = 256;
const chunkLength = (chunkMs * rate) / 1_000;

const scale = (samples: Float32Array, factor: number) => samples.map((sample) => sample * factor);
/** `sound` again and again, for `ms`. */
function repeat(sound: Float32Array, ms: number): Float32Array {
  const repeated = new Float32Array((ms * rate) / 1_000);
  for (let at = 0; at < repeated.length; at += sound.length)
    repeated.set(sound.subarray(0, repeated.length - at), at);
  return repeated;
}

const voice = createVoice(10_000, rate);
const room = createNoise(1_000, rate, 0.001);
/** A voice of about -28 dB, made quieter by `db`. */
const speak = (ms: number, db: number) => repeat(scale(voice, 10 ** (-db / 20)), ms);
/** A room in which nobody speaks. */
const wait = (ms: number) => repeat(room, ms);

/** When it was told, ms from the first chunk. `pauseMs`: the page gets nothing for so long after half of the sound. */
function listen(
  parts: readonly Float32Array[],
  { pauseMs = 0, isMuted = false }: { pauseMs?: number; isMuted?: boolean } = {},
): number[] {
  const lengthMs = parts.reduce((sum, { length }) => sum + length, 0) / (rate / 1_000);
  const sound = isMuted ? new Float32Array((lengthMs * rate) / 1_000) : wait(lengthMs);
  let end = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 1)
      sound[end + at] = (sound[end + at] ?? 0) + (part[at] ?? 0);
    end += part.length;
  }
  const quietSpeech = new QuietSpeech();
  const told: number[] = [];
  let now = 1_800_000_000_000;
  const startedAt = now;
  for (let at = 0; at + chunkLength <= sound.length; at += chunkLength) {
    now += chunkMs;
    if (at <= sound.length / 2 && at + chunkLength > sound.length / 2) now += pauseMs;
    if (quietSpeech.onChunk(sound.subarray(at, at + chunkLength), now)) told.push(now - startedAt);
  }
  return told;
}

it("tells once of a voice that was distant for a minute, and not before", () => {
  const [at, ...more] = listen([speak(90_000, 18)]);
  expect(at).toBeGreaterThan(54_000);
  expect(at).toBeLessThan(75_000);
  expect(more).toEqual([]);
});

it.each([
  ["a voice at arm's length", [speak(90_000, 0)]],
  ["a voice that is a little quiet", [speak(90_000, 6)]],
  ["a quiet room", [wait(90_000)]],
  ["a few quiet words in a quiet room", [wait(40_000), speak(4_000, 18), wait(40_000)]],
  [
    "a distant question between near answers",
    Array.from({ length: 4 }, () => [speak(20_000, 18), speak(20_000, 0)]).flat(),
  ],
])("does not tell of %s", (_, parts) => {
  expect(listen(parts)).toEqual([]);
});

it("does not tell of a muted microphone", () => {
  expect(listen([new Float32Array(90 * rate)], { isMuted: true })).toEqual([]);
});

it.each([
  ["a chair is moved", [speak(40_000, 18), createNoise(600, rate, 0.5), speak(60_000, 18)]],
  ["the speaker pauses", [speak(30_000, 18), wait(8_000), speak(60_000, 18)]],
])("tells of a distant voice although %s", (_, parts) => {
  expect(listen(parts)).toHaveLength(1);
});

it("counts no minute in which the page got half of the sound", () => {
  expect(listen([speak(100_000, 18)], { pauseMs: 30_000 })).toEqual([]);
  expect(listen([speak(100_000, 18)])).toHaveLength(1);
});
