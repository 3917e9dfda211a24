import detectorUrl from "@ricky0123/vad-web/dist/silero_vad_v6.onnx?url";
import wasmUrl from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
// The same program once more, under an address of its own, so that it can be loaded a second time.
import threadedRuntimeUrl from "onnxruntime-web/wasm?url";
import { countEncoderThreads, withEncoderThreads } from "./encoder-threads.ts";
import type { OnnxRuntime } from "./model-library.ts";
import { SpeechModelError } from "./speech-model-messages.ts";

/** Threads that have not started by then cannot. */
const threadsLimitMs = 10_000;

/**
 * Loads what runs a model's networks, by WebAssembly. No GPU runs them: their weights have 8 bits (decision 51).
 * `encoderBytes`: length of the file of the network that runs on several threads, where there can be some; none without it.
 *
 * @throws SpeechModelError `unsupported` or `program`.
 */
export async function loadRuntime(encoderBytes?: number): Promise<OnnxRuntime> {
  checkWebAssembly();
  try {
    const [runtime, wasmBinary] = await Promise.all([
      import("onnxruntime-web/wasm"),
      fetchBytes(wasmUrl),
    ]);
    setUp(runtime, wasmBinary, 1);
    const threads = countEncoderThreads();
    if (encoderBytes === undefined || threads === 1) return runtime;
    const loadThreaded = async () => {
      const threaded: OnnxRuntime = await import(/* @vite-ignore */ threadedRuntimeUrl);
      setUp(threaded, wasmBinary, threads);
      threaded.env.wasm.initTimeout = threadsLimitMs;
      return threaded;
    };
    return withEncoderThreads(runtime, loadThreaded, encoderBytes);
  } catch (error) {
    throw new SpeechModelError("program", `The runtime could not be loaded: ${error}`);
  }
}

function setUp({ env: { wasm } }: OnnxRuntime, wasmBinary: ArrayBuffer, threads: number): void {
  wasm.wasmBinary = wasmBinary;
  // Without it, transformers.js names a content delivery network.
  wasm.wasmPaths = { wasm: wasmUrl };
  wasm.numThreads = threads;
}

/** Fetches the file of the voice detector. @throws SpeechModelError `program` */
export async function fetchSpeechDetector(): Promise<Uint8Array> {
  try {
    return new Uint8Array(await fetchBytes(detectorUrl));
  } catch (error) {
    throw new SpeechModelError("program", `The voice detector could not be loaded: ${error}`);
  }
}

async function fetchBytes(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** The type, then a function that drops `v128.const 0`: a module that only compiles where there is SIMD. */
const simdModule = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12],
  ...new Array<number>(16).fill(0),
  ...[26, 11],
);

function checkWebAssembly(): void {
  try {
    new WebAssembly.Module(simdModule);
  } catch (error) {
    throw new SpeechModelError("unsupported", `WebAssembly with SIMD cannot be used: ${error}`);
  }
}
