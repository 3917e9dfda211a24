import type { InferenceSession } from "onnxruntime-web";
import { captureSampleRate } from "#shared/limits.ts";
import type { OnnxRuntime } from "./model-library.ts";
import { isOutOfMemory } from "./serve-speech-model.ts";
import {
  type Detection,
  type DetectionRequest,
  type DetectorState,
  frameSamples,
  SpeechModelError,
} from "./speech-model-messages.ts";

/** Samples of the frame before, which the network wants before each frame. */
const contextSamples = 64;
/** Shape of the network's memory. */
const memoryShape = [2, 1, 128];

/**
 * Loads Silero's voice detector, version 5 or 6. `bytes`: its ONNX file.
 *
 * @throws SpeechModelError `program`: the file is not what it should be; `memory`.
 */
export async function loadSpeechDetector(
  runtime: OnnxRuntime,
  bytes: Uint8Array,
): Promise<(request: DetectionRequest) => Promise<Detection>> {
  const session = await createSession(runtime, bytes);
  const sampleRate = new runtime.Tensor("int64", [BigInt(captureSampleRate)], []);

  /** Examines the frame behind the context that `input` begins with. */
  async function examine(input: Float32Array, memory: Float32Array) {
    const { output, stateN } = await session.run({
      input: new runtime.Tensor("float32", input, [1, input.length]),
      state: new runtime.Tensor("float32", memory, memoryShape),
      sr: sampleRate,
    });
    if (output === undefined || stateN === undefined)
      throw new SpeechModelError("program", "The voice detector has other outputs");
    return {
      probability: Number(output.data[0]),
      memory: stateN.data as Float32Array,
    };
  }

  return async ({ samples, state }) => {
    const before = state ?? createState();
    let { memory } = before;
    const sound = new Float32Array(contextSamples + samples.length);
    sound.set(before.context);
    sound.set(samples, contextSamples);
    const probabilities: number[] = [];
    for (let at = 0; at < samples.length; at += frameSamples) {
      const input = sound.slice(at, at + contextSamples + frameSamples);
      const examined = await examine(input, memory);
      probabilities.push(examined.probability);
      memory = examined.memory;
    }
    return { probabilities, state: { memory, context: sound.slice(-contextSamples) } };
  };
}

const createState = (): DetectorState => ({
  memory: new Float32Array(memoryShape.reduce((size, length) => size * length)),
  context: new Float32Array(contextSamples),
});

async function createSession(runtime: OnnxRuntime, bytes: Uint8Array): Promise<InferenceSession> {
  try {
    return await runtime.InferenceSession.create(bytes, { executionProviders: ["wasm"] });
  } catch (error) {
    const text = `The voice detector cannot be loaded: ${error}`;
    throw new SpeechModelError(isOutOfMemory(text) ? "memory" : "program", text);
  }
}
