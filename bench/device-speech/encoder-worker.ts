import { parentPort, workerData } from "node:worker_threads";
import { env, InferenceSession, Tensor } from "onnxruntime-web";

/** Whisper's encoder on several threads, in a worker: one copy of the runtime has one number of threads. */

export interface EncoderData {
  file: Uint8Array;
  options: InferenceSession.SessionOptions;
  threads: number;
}

export type PlainTensor = Pick<Tensor, "type" | "data" | "dims">;
/** Tensors by their names. */
export type EncoderFeeds = Record<string, PlainTensor>;
/** The first message: the encoder is ready. */
export type EncoderNames = Pick<InferenceSession, "inputNames" | "outputNames">;
/** `ms`: how long the network has run, on the clock on the wall. */
export interface EncoderAnswer {
  outputs: EncoderFeeds;
  ms: number;
}

const { file, options, threads } = workerData as EncoderData;
env.wasm.numThreads = threads;
env.wasm.wasmPaths = {
  mjs: import.meta.resolve("onnxruntime-web/ort-wasm-simd-threaded.mjs"),
  wasm: import.meta.resolve("onnxruntime-web/ort-wasm-simd-threaded.wasm"),
};
const session = await InferenceSession.create(file, options);

parentPort?.on("message", async (feeds: EncoderFeeds) => {
  const inputs = Object.entries(feeds).map(([name, { type, data, dims }]) => [
    name,
    new Tensor(type, data, dims),
  ]);
  const since = performance.now();
  const results = await session.run(Object.fromEntries(inputs));
  const ms = performance.now() - since;
  const outputs = Object.entries(results).map(([name, { type, data, dims }]) => [
    name,
    { type, data, dims },
  ]);
  parentPort?.postMessage({ outputs: Object.fromEntries(outputs), ms });
});
const { inputNames, outputNames } = session;
parentPort?.postMessage({ inputNames, outputNames } satisfies EncoderNames);
