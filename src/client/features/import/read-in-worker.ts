import type { Clock } from "#client/lib/clock.ts";
import { browserClock } from "#client/lib/clock.ts";
import type { ReadResult } from "./read-file.ts";

/** Ten times what the largest regular file takes on a slow phone. */
const readMaxMs = 20_000;

type ReadWorker = Pick<Worker, "addEventListener" | "postMessage" | "terminate">;

const createWorker = (): ReadWorker =>
  new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });

/** Reads `file` in a worker. If that takes too long, terminates the worker and resolves to the error `slow`. */
export function readInWorker(
  file: File,
  clock: Pick<Clock, "after"> = browserClock,
  create: () => ReadWorker = createWorker,
): Promise<ReadResult> {
  return new Promise((resolve) => {
    const worker = create();
    const settle = (reading: ReadResult) => {
      cancelTimeout();
      worker.terminate();
      resolve(reading);
    };
    const cancelTimeout = clock.after(readMaxMs, () => settle({ error: { reason: "slow" } }));
    worker.addEventListener("message", ({ data }: MessageEvent<ReadResult>) => settle(data));
    worker.addEventListener("error", () => settle({ error: { reason: "unreadable" } }));
    worker.postMessage(file);
  });
}
