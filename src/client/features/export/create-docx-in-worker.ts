import type { FileRequest } from "./formats.ts";

export type FileAnswer = { bytes: Uint8Array<ArrayBuffer> } | { failure: string };

/** Apart from the page, which stays quick while a document is made. One worker serves a folder's lectures. */
let idle: Worker | null = null;
/** A worker holds memory; nobody needs it for long. */
const idleMs = 30_000;
let farewell: ReturnType<typeof setTimeout> | undefined;

function takeWorker(): Worker {
  clearTimeout(farewell);
  const worker =
    idle ?? new Worker(new URL("./docx.worker.ts", import.meta.url), { type: "module" });
  idle = null;
  return worker;
}

function putBack(worker: Worker): void {
  idle?.terminate();
  idle = worker;
  farewell = setTimeout(() => {
    idle?.terminate();
    idle = null;
  }, idleMs);
}

/**
 * The document that `request` asks for, made in a worker.
 *
 * @throws when it cannot be made or its parts cannot be fetched; what `signal` was aborted for.
 */
export function makeInWorker(
  request: FileRequest,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = takeWorker();
    const events = new AbortController();
    const settle = (end: () => void, keep: boolean) => {
      events.abort();
      if (keep) putBack(worker);
      else worker.terminate();
      end();
    };
    const { signal: until } = events;
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<FileAnswer>) => {
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
