import { expect, it } from "vitest";
import { CurrentModel } from "#client/recognition/device/current-model.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { detectByLevel } from "#tests/unit/client/recorder/kit/level-detector.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const samples = new Float32Array(1_024).fill(0.5);
const state = { memory: Float32Array.of(1), context: Float32Array.of(2) };

/** Models that fail where `fails` says so, in the order in which they are opened. */
function open(...fails: boolean[]) {
  const calls: { model: number; samples: Float32Array; state: unknown }[] = [];
  let count = 0;
  const current = new CurrentModel({
    clock: new ManualClock(),
    log: { warn: () => {} },
    onProgress: () => {},
    async getModel() {
      const model = count;
      count += 1;
      return {
        transcribe: async () => [],
        async detectSpeech(given, before) {
          calls.push({ model, samples: given, state: before });
          if (fails[model]) throw new Error("the worker ended");
          return detectByLevel(given, before);
        },
        dispose: () => {},
      } satisfies SpeechModel;
    },
  });
  return { current, calls, signal: new AbortController().signal };
}

it("goes on with another model where the voice detector fails, and loses nothing that it knew", async () => {
  const { current, calls, signal } = open(true, false);
  const { probabilities } = await current.detectSpeech(samples, state, "en", signal);
  expect(probabilities).toEqual([1, 1]);
  expect(calls).toEqual([0, 1].map((model) => ({ model, samples, state })));
  expect(current.hasFailed).toBe(false);
});

it("gives up where the second model fails too", async () => {
  const { current, calls, signal } = open(true, true, false);
  const detecting = current.detectSpeech(samples, state, "en", signal);
  await expect(detecting).rejects.toThrow("the worker ended");
  expect([calls.length, current.isLoaded]).toEqual([2, false]);
});

it("asks for another model in place of one that has failed, and of no other", async () => {
  const models = [true, false].map(
    (fails): SpeechModel => ({
      transcribe: async () => [],
      async detectSpeech(given, before) {
        if (fails) throw new Error("the worker ended");
        return detectByLevel(given, before);
      },
      dispose: () => {},
    }),
  );
  const asked: (SpeechModel | null)[] = [];
  const current = new CurrentModel({
    clock: new ManualClock(),
    log: { warn: () => {} },
    onProgress: () => {},
    async getModel(failed) {
      asked.push(failed);
      // None is stored yet, for as long as it is tried.
      const model = models[asked.length - 3];
      if (model === undefined) throw new Error("missing");
      return model;
    },
  });
  const { signal } = new AbortController();
  await expect(current.load("en", signal)).rejects.toThrow("missing");
  await current.detectSpeech(samples, state, "en", signal);
  current.drop();
  await expect(current.load("en", signal)).rejects.toThrow("missing");
  expect(asked).toEqual([null, null, null, models[0], null, null]);
});
