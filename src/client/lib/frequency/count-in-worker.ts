import { FileWorker } from "#client/lib/file-worker.ts";
import type { FrequencyRequest } from "./frequency.worker.ts";

/** Ten times what two million characters take on a slow phone. */
const silentMaxMs = 60_000;

/**
 * The frequent terms of a file or a lecture.
 *
 * @throws FileWorkerError; the reason of `signal` when it was aborted
 */
export async function countInWorker(
  request: FrequencyRequest,
  signal: AbortSignal,
): Promise<string[]> {
  signal.throwIfAborted();
  const worker = new FileWorker<FrequencyRequest, string[]>(
    new Worker(new URL("./frequency.worker.ts", import.meta.url), { type: "module" }),
    { getReport: (data) => data as string[], silentMaxMs, signal },
  );
  try {
    return await worker.call(request, (terms) => terms);
  } finally {
    worker.close();
  }
}
