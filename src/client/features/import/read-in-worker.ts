import { FileWorker, FileWorkerError } from "#client/lib/file-worker.ts";
import type { ReadResult } from "./read-file.ts";

/** Ten times what the largest regular file takes on a slow phone. */
const silentMaxMs = 20_000;

/** Reads `file` in a worker. If that takes too long, terminates the worker and resolves to the error `slow`. */
export async function readInWorker(file: File): Promise<ReadResult> {
  const worker = new FileWorker<File, ReadResult>(
    new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" }),
    { getReport: (data) => data as ReadResult, silentMaxMs },
  );
  try {
    return await worker.call(file, (result) => result);
  } catch (failure) {
    const isSlow = failure instanceof FileWorkerError && failure.reason === "slow";
    return { error: { reason: isSlow ? "slow" : "unreadable" } };
  } finally {
    worker.close();
  }
}
