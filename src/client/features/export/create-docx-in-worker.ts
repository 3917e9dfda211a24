import type { FileRequest } from "./formats.ts";

export type DocxResult = { bytes: Uint8Array<ArrayBuffer> } | { failure: string };

/** Creates documents off the main thread. It is kept for the next lecture of a folder. */
let worker: Worker | null = null;
/** An idle worker is terminated after this time, to free its memory. */
const idleMs = 30_000;
let idleTimeout: ReturnType<typeof setTimeout> | undefined;

function endWorker(): void {
  worker?.terminate();
  worker = null;
}

/**
 * One document at a time.
 *
 * @throws when the document cannot be created or the worker cannot be loaded; the abort reason of `signal`.
 */
export async function createDocxInWorker(
  request: FileRequest,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  signal.throwIfAborted();
  clearTimeout(idleTimeout);
  worker ??= new Worker(new URL("./docx.worker.ts", import.meta.url), { type: "module" });
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
    return await promise;
  } catch (failure) {
    endWorker();
    throw failure;
  } finally {
    signal.removeEventListener("abort", abort);
    idleTimeout = setTimeout(endWorker, idleMs);
  }
}
