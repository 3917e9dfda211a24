import { browserClock } from "#client/lib/clock.ts";
import type { ReadResult } from "./read-file.ts";

/** Ten times what the largest regular file takes on a slow phone. */
const readMaxMs = 20_000;

/** Reads `file` in a worker. If that takes too long, terminates the worker and resolves to the error `slow`. */
export function readInWorker(file: File): Promise<ReadResult> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });
    const settle = (reading: ReadResult) => {
      cancelTimeout();
      worker.terminate();
      resolve(reading);
    };
    const cancelTimeout = browserClock.after(readMaxMs, () =>
      settle({ error: { reason: "slow" } }),
    );
    worker.addEventListener("message", ({ data }: MessageEvent<ReadResult>) => settle(data));
    worker.addEventListener("error", () => settle({ error: { reason: "unreadable" } }));
    worker.postMessage(file);
  });
}
