import type { FileRequest } from "./formats.ts";

export type DocxResult = { bytes: Uint8Array<ArrayBuffer> } | { failure: string };

/** Creates documents off the main thread. The idle worker is kept for the next lecture of a folder. */
let idleWorker: Worker | null = null;
/** An idle worker is terminated after this time, to free its memory. */
const idleMs = 30_000;
let idleTimeout: ReturnType<typeof setTimeout> | undefined;

function acquireWorker(): Worker {
  clearTimeout(idleTimeout);
  const worker =
    idleWorker ?? new Worker(new URL("./docx.worker.ts", import.meta.url), { type: "module" });
  idleWorker = null;
  return worker;
}

function releaseWorker(worker: Worker): void {
  idleWorker?.terminate();
  idleWorker = worker;
  idleTimeout = setTimeout(() => {
    idleWorker?.terminate();
    idleWorker = null;
  }, idleMs);
}

/** @throws when the document cannot be created or the worker cannot be loaded; the abort reason of `signal`. */
export async function createDocxInWorker(
  request: FileRequest,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  signal.throwIfAborted();
  const worker = acquireWorker();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const abort = () => reject(signal.reason);
  worker.onmessage = ({ data }: MessageEvent<DocxResult>) => {
    if ("bytes" in data) resolve(data.bytes);
    else reject(new Error(data.failure));
  };
  worker.onerror = ({ message }) => reject(new Error(message || "The worker cannot be loaded"));
  signal.addEventListener("abort", abort);
  try {
    worker.postMessage(request);
    const bytes = await promise;
    releaseWorker(worker);
    return bytes;
  } catch (failure) {
    worker.terminate();
    throw failure;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
