import { browserClock } from "#client/realtime/platform/clock.ts";
import type { Clock } from "#client/realtime/platform/ports.ts";
import type { ReadResult } from "./read-file.ts";

/** Ten times what the largest honest file takes on a slow telephone. */
const readMaxMs = 20_000;

type ReadWorker = Pick<Worker, "addEventListener" | "postMessage" | "terminate">;

const createWorker = (): ReadWorker =>
  new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });

/** Reads `file` in a worker; one that takes too long is stopped, and the file refused as `slow`. */
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
    const cancelTimeout = clock.after(readMaxMs, () => settle({ refused: { reason: "slow" } }));
    worker.addEventListener("message", ({ data }: MessageEvent<ReadResult>) => settle(data));
    worker.addEventListener("error", () => settle({ refused: { reason: "unreadable" } }));
    worker.postMessage(file);
  });
}
