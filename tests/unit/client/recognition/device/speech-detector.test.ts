import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DetectedSpeech } from "#client/recognition/device/detected-speech.ts";
import { loadSpeechDetector } from "#client/recognition/device/speech-detector.ts";
import type { DetectorState } from "#client/recognition/device/speech-model-messages.ts";
import { measureSpeech } from "#client/sound/capture/voice-activity.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { Graph } from "#tests/fixtures/speech-model/onnx-file.ts";
import {
  contextSamples,
  createTinyDetector,
  encodeDetector,
} from "#tests/fixtures/speech-model/tiny-detector.ts";
import { createNoise, createVoice } from "#tests/fixtures/voice.ts";

const frameSamples = 512;

const load = async (bytes: Uint8Array) => loadSpeechDetector(await loadNodeRuntime(), bytes);

/**
 * A network that shows what it is given. Its memory is the sum of the means of all frames before; its output ten times
 * that sum, and the mean of the context. A wrong sample rate adds to that.
 */
function createProbe(): Uint8Array<ArrayBuffer> {
  const graph = new Graph();
  const add = graph.add.bind(graph);
  const getMean = (from: number, to: number) =>
    add("ReduceMean", [add("Slice", ["input", ...[from, to, 1].map((at) => graph.ints(at))])], {
      axes: [1],
      keepdims: 1,
    });
  const context = getMean(0, contextSamples);
  const frame = getMean(contextSamples, contextSamples + frameSamples);
  const sum = add("Reshape", [
    add("ReduceMean", ["state"], { axes: [0, 1, 2], keepdims: 1 }),
    graph.ints(1, 1),
  ]);
  const rate = add("Sub", [add("Cast", ["sr"], { to: 1 }), graph.float(16_000)]);
  const heard = add("Add", [context, add("Mul", [sum, graph.float(10)])]);
  add("Add", [heard, rate], {}, "output");
  add("Add", ["state", add("Reshape", [frame, graph.ints(1, 1, 1)])], {}, "stateN");
  return encodeDetector(graph);
}

const createSound = (values: readonly number[]) =>
  Float32Array.from({ length: values.length * frameSamples }, (_, at) => {
    return values[Math.floor(at / frameSamples)] ?? 0;
  });

describe("the voice detector", () => {
  it("hears each frame behind what came before, however the sound is divided", async () => {
    const detect = await load(createProbe());
    const calls = fc.array(fc.array(fc.integer({ min: -8, max: 8 }), { maxLength: 4 }), {
      maxLength: 6,
    });
    const property = fc.asyncProperty(calls, async (parts) => {
      let state: DetectorState | null = null;
      const found: number[] = [];
      for (const values of parts) {
        const result = await detect({ samples: createSound(values), state });
        expect(result.probabilities).toHaveLength(values.length);
        found.push(...result.probabilities);
        // As between the page and its worker.
        state = structuredClone(result.state);
      }
      const values = parts.flat();
      const expected = values.map((_, index) => {
        const sum = values.slice(0, index).reduce((total, value) => total + value, 0);
        return 10 * sum + (values[index - 1] ?? 0);
      });
      expect(found).toEqual(expected.map((value) => expect.closeTo(value, 3)));
    });
    await fc.assert(property, { numRuns: countRuns(100) });
  });

  it("forgets everything where a sound begins", async () => {
    const detect = await load(createProbe());
    const request = { samples: createSound([1, 2, 3]), state: null };
    const { probabilities } = await detect(request);
    expect((await detect(request)).probabilities).toEqual(probabilities);
  });

  it.each([
    ["text", new TextEncoder().encode("<!doctype html>")],
    ["a part of it", createTinyDetector().slice(0, 200)],
  ])("is a damaged file of the program where its file is %s", async (_name, bytes) => {
    await expect(load(bytes)).rejects.toMatchObject({ name: "SpeechModelError", code: "program" });
  });
});

it("finds a voice between loud noise, with the file that the product has", async () => {
  const file = import.meta.resolve("@ricky0123/vad-web/dist/silero_vad_v6.onnx");
  const detect = await load(await readFile(fileURLToPath(file)));
  // Whole frames each.
  const [noiseMs, voiceMs] = [3_200, 4_000];
  const noises = [1, 2].map((seed) => createNoise(noiseMs, 16_000, 0.2, seed));
  const samples = new Float32Array((2 * noiseMs + voiceMs) * 16);
  for (const [index, noise] of noises.entries())
    samples.set(noise, index * (noiseMs + voiceMs) * 16);
  samples.set(createVoice(voiceMs, 16_000), noiseMs * 16);
  const { probabilities } = await detect({ samples, state: null });
  const speech = new DetectedSpeech();
  for (const probability of probabilities) speech.add(probability);
  const voiceEndMs = noiseMs + voiceMs;
  expect(speech.endMs).toBe(voiceEndMs + noiseMs);
  expect(measureSpeech(speech.intervals, noiseMs, voiceEndMs)).toBeGreaterThan(0.9 * voiceMs);
  expect(measureSpeech(speech.intervals, 0, noiseMs - 200)).toBe(0);
  // So loud a voice is not forgotten at once, as a person's is.
  expect(measureSpeech(speech.intervals, voiceEndMs + 2_000, speech.endMs)).toBe(0);
});
