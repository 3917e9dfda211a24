import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { InferenceSession } from "onnxruntime-web";
import { withEncoderThreads } from "#client/recognition/device/encoder-threads.ts";
import type { OnnxRuntime } from "#client/recognition/device/model-library.ts";
import type { EncoderAnswer, EncoderData, EncoderNames } from "./encoder-worker.ts";

/** The encoder of the page's worker on several threads, as in an isolated page. */
export interface ThreadedEncoder {
  runtime: OnnxRuntime;
  /** How long the encoder has run so far, on the clock on the wall, ms. */
  getMs(): number;
}

/** `encoderBytes`: see `withEncoderThreads`. */
export function loadThreadedEncoder(
  runtime: OnnxRuntime,
  threads: number,
  encoderBytes: number,
): ThreadedEncoder {
  let encoderMs = 0;
  async function create(file: Uint8Array, options: InferenceSession.SessionOptions) {
    const workerData: EncoderData = { file, options, threads };
    const worker = new Worker(new URL("encoder-worker.ts", import.meta.url), { workerData });
    // The process ends without it.
    worker.unref();
    const [names] = (await once(worker, "message")) as [EncoderNames];
    return {
      ...names,
      async run(feeds: InferenceSession.FeedsType) {
        worker.postMessage(
          Object.fromEntries(
            Object.entries(feeds).map(([name, { type, data, dims }]) => [
              name,
              { type, data, dims },
            ]),
          ),
        );
        const [{ outputs, ms }] = (await once(worker, "message")) as [EncoderAnswer];
        encoderMs += ms;
        return outputs;
      },
    };
  }
  const threaded = { ...runtime, InferenceSession: { create } } as unknown as OnnxRuntime;
  return {
    runtime: withEncoderThreads(runtime, async () => threaded, encoderBytes),
    getMs: () => encoderMs,
  };
}
