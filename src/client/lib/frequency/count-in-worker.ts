import type { FrequencyRequest } from "./frequency.worker.ts";

/** The frequent terms of a file or a lecture. @throws the reason of `signal` when it was aborted, and if the worker fails */
export async function countInWorker(
  request: FrequencyRequest,
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const worker = new Worker(new URL("./frequency.worker.ts", import.meta.url), { type: "module" });
  const abort = () => reject(signal.reason);
  worker.addEventListener("message", ({ data }: MessageEvent<string[]>) => resolve(data));
  worker.addEventListener("error", ({ message }) => reject(new Error(message)));
  signal.addEventListener("abort", abort);
  worker.postMessage(request);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    worker.terminate();
  }
}
