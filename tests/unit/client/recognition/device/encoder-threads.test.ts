import type { InferenceSession } from "onnxruntime-web";
import { afterEach, expect, it, vi } from "vitest";
import {
  countEncoderThreads,
  withEncoderThreads,
} from "#client/recognition/device/encoder-threads.ts";
import type { OnnxRuntime } from "#client/recognition/device/model-library.ts";
import { encoderPath } from "#client/recognition/device/whisper.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { melCount } from "#tests/fixtures/speech-model/tiny-encoder.ts";
import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";

const tiny = createTinySpeechModel({ wordCount: 20 });
const encoder = tiny.contents.get(encoderPath) ?? new Uint8Array();
const decoder = tiny.contents.get("onnx/decoder_model_merged_quantized.onnx") ?? new Uint8Array();
const featureFrames = 3_000;

/** Features of no sound in particular. */
const createFeatures = () =>
  Float32Array.from({ length: melCount * featureFrames }, (_, index) => Math.sin(index));

/** The runtime, with the lengths of the files of which networks were made. */
async function loadCounted() {
  const runtime = await loadNodeRuntime();
  const lengths: number[] = [];
  const create = (file: Uint8Array, options?: InferenceSession.SessionOptions) => {
    lengths.push(file.length);
    return runtime.InferenceSession.create(file, options);
  };
  const counted = { ...runtime, InferenceSession: { create } } as unknown as OnnxRuntime;
  return { counted, lengths };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("makes the encoder in an instance of its own, with the same results, and other networks where they were", async () => {
  const own = await loadCounted();
  const threaded = await loadCounted();
  const runtime = withEncoderThreads(own.counted, async () => threaded.counted, encoder.length);
  const session = await runtime.InferenceSession.create(encoder);
  await runtime.InferenceSession.create(decoder);
  expect(threaded.lengths).toEqual([encoder.length]);
  expect(own.lengths).toEqual([decoder.length]);
  const input = new runtime.Tensor("float32", createFeatures(), [1, melCount, featureFrames]);
  const alone = await (await loadNodeRuntime()).InferenceSession.create(encoder);
  const [found, expected] = [
    await session.run({ input_features: input }),
    await alone.run({ input_features: input }),
  ];
  expect(found.last_hidden_state?.dims).toEqual(expected.last_hidden_state?.dims);
  expect(found.last_hidden_state?.data).toEqual(expected.last_hidden_state?.data);
});

it("gives tensors of the runtime that asked, whatever the other instance gives", async () => {
  const own = await loadNodeRuntime();
  const output = { type: "float32", data: Float32Array.of(1, 2), dims: [1, 2] };
  const session = { inputNames: ["input"], run: vi.fn(async () => ({ output })) };
  const other = { InferenceSession: { create: async () => session } } as unknown as OnnxRuntime;
  const runtime = withEncoderThreads(own, async () => other, encoder.length);
  const created = await runtime.InferenceSession.create(encoder);
  expect(created.inputNames).toEqual(["input"]);
  const { output: given } = await created.run({});
  expect(given).toBeInstanceOf(own.Tensor);
  expect(given?.data).toBe(output.data);
  expect(given?.dims).toEqual([1, 2]);
});

it.each([
  ["cannot be loaded", () => Promise.reject(new Error("no such file"))],
  [
    "cannot start its threads",
    async () => {
      const create = () => Promise.reject(new Error("timeout"));
      return { InferenceSession: { create } } as unknown as OnnxRuntime;
    },
  ],
])("has one thread where the other instance %s", async (_name, load) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const { counted, lengths } = await loadCounted();
  const runtime = withEncoderThreads(counted, load, encoder.length);
  const session = await runtime.InferenceSession.create(encoder);
  expect(session.inputNames).toEqual(["input_features"]);
  expect(lengths).toEqual([encoder.length]);
  expect(warn).toHaveBeenCalledOnce();
});

it.each([
  [{ crossOriginIsolated: false, hardwareConcurrency: 8 }, 1],
  // Browsers without the property.
  [{ crossOriginIsolated: undefined, hardwareConcurrency: 8 }, 1],
  [{ crossOriginIsolated: true, hardwareConcurrency: 8 }, 2],
  [{ crossOriginIsolated: true, hardwareConcurrency: 1 }, 1],
])("has as many threads as the page and the device can have: %o", (page, expected) => {
  const { crossOriginIsolated, hardwareConcurrency } = page;
  vi.stubGlobal("crossOriginIsolated", crossOriginIsolated);
  vi.stubGlobal("navigator", { hardwareConcurrency });
  expect(countEncoderThreads()).toBe(expected);
});
