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
export function createDocxInWorker(
  request: FileRequest,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = acquireWorker();
    const events = new AbortController();
    const settle = (finish: () => void, reuse: boolean) => {
      events.abort();
      if (reuse) releaseWorker(worker);
      else worker.terminate();
      finish();
    };
    const { signal: settled } = events;
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<DocxResult>) => {
        if ("bytes" in data) settle(() => resolve(data.bytes), true);
        else settle(() => reject(new Error(data.failure)), false);
      },
      { signal: settled },
    );
    worker.addEventListener(
      "error",
      (event) =>
        settle(() => reject(new Error(event.message || "The worker cannot be loaded")), false),
      { signal: settled },
    );
    signal?.addEventListener("abort", () => settle(() => reject(signal.reason), false), {
      signal: settled,
    });
    worker.postMessage(request);
  });
}
