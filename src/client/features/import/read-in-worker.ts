import { FileWorker, FileWorkerError } from "#client/lib/file-worker.ts";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import type { ReadResult } from "./read-file.ts";

export interface ReadRequest {
  file: File;
  /** What the person has chosen; null: it is detected. */
  encoding: TextEncoding | null;
}

/** Ten times what the largest regular file takes on a slow phone. */
const silentMaxMs = 20_000;

/** Reads a file in a worker. If that takes too long, terminates the worker and resolves to the error `slow`. */
export async function readInWorker(request: ReadRequest): Promise<ReadResult> {
  const worker = new FileWorker<ReadRequest, ReadResult>(
    new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" }),
    { getReport: (data) => data as ReadResult, silentMaxMs },
  );
  try {
    return await worker.call(request, (result) => result);
  } catch (failure) {
    const isSlow = failure instanceof FileWorkerError && failure.reason === "slow";
    return { error: { reason: isSlow ? "slow" : "unreadable" } };
  } finally {
    worker.close();
  }
}
