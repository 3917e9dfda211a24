import type { InferenceSession, Tensor } from "onnxruntime-web";
import type { OnnxRuntime } from "./model-library.ts";

/**
 * Whisper's encoder on two threads. It takes most of a window's time, and half of that with two. The decoder and the voice
 * detector gain nothing: between their many short calls the runtime's threads wait for work without sleeping, which costs
 * as much as work. An instance of the runtime has one number of threads for all its networks, so the encoder has an
 * instance of its own.
 */

const threadsMax = 2;

/** Threads of the encoder. Only an isolated page has memory that threads share. */
export const countEncoderThreads = (): number =>
  globalThis.crossOriginIsolated ? Math.min(threadsMax, navigator.hardwareConcurrency) : 1;

/**
 * A runtime that runs the network whose file has `encoderBytes` by that which `loadThreaded` gives, and all others by
 * `runtime`, whose tensors it takes and gives. Without threads, if they cannot be had, it is only slower.
 */
export function withEncoderThreads(
  runtime: OnnxRuntime,
  loadThreaded: () => Promise<OnnxRuntime>,
  encoderBytes: number,
): OnnxRuntime {
  const { InferenceSession: Session, Tensor: OwnTensor } = runtime;
  const toOwn = ({ type, data, dims }: Tensor) => new OwnTensor(type, data, dims);
  async function createThreaded(file: Uint8Array, options?: InferenceSession.SessionOptions) {
    const threaded = await loadThreaded();
    const session = await threaded.InferenceSession.create(file, options);
    const run = session.run.bind(session);
    return Object.assign(session, {
      async run(feeds: InferenceSession.FeedsType) {
        const outputs = Object.entries(await run(feeds));
        return Object.fromEntries(outputs.map(([name, output]) => [name, toOwn(output as Tensor)]));
      },
    });
  }
  async function create(file: Uint8Array, options?: InferenceSession.SessionOptions) {
    if (file.byteLength === encoderBytes)
      try {
        return await createThreaded(file, options);
      } catch (error) {
        console.warn("The encoder has one thread", error);
      }
    return Session.create(file, options);
  }
  return { ...runtime, InferenceSession: { create } as OnnxRuntime["InferenceSession"] };
}
