import type { FileRequest } from "./formats.ts";

export type DocxResult = { bytes: Uint8Array<ArrayBuffer> } | { failure: string };

/** Apart from the page, which stays quick while a document is made. One worker serves a folder's lectures. */
let idleWorker: Worker | null = null;
/** A worker holds memory; nobody needs it for long. */
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

/**
 * The document that `request` asks for, made in a worker.
 *
 * @throws when it cannot be made or its parts cannot be fetched; what `signal` was aborted for.
 */
export function createDocxInWorker(
  request: FileRequest,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = acquireWorker();
    const events = new AbortController();
    const settle = (end: () => void, keep: boolean) => {
      events.abort();
      if (keep) releaseWorker(worker);
      else worker.terminate();
      end();
    };
    const { signal: until } = events;
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<DocxResult>) => {
        if ("bytes" in data) settle(() => resolve(data.bytes), true);
        else settle(() => reject(new Error(data.failure)), false);
      },
      { signal: until },
    );
    worker.addEventListener(
      "error",
      (event) =>
        settle(() => reject(new Error(event.message || "The worker cannot be loaded")), false),
      { signal: until },
    );
    signal?.addEventListener("abort", () => settle(() => reject(signal.reason), false), {
      signal: until,
    });
    worker.postMessage(request);
  });
}
