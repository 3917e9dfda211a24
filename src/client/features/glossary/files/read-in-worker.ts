import { FileWorker, FileWorkerError } from "#client/lib/file-worker.ts";
import { FileError, type FileReport, type FileText, type OnProgress } from "./file-text.ts";

/** Ten times what the slowest page takes on a slow phone, the libraries' download included. */
const silentMaxMs = 60_000;

/**
 * Reads `file` in a worker, which ends with it.
 *
 * @throws FileError; the reason of `signal` when it was aborted
 */
export async function readInWorker(
  file: File,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<FileText> {
  signal.throwIfAborted();
  const worker = new FileWorker<File, FileReport["fileText"]>(
    new Worker(new URL("./file-text.worker.ts", import.meta.url), {
      type: "module",
      name: "file-text",
    }),
    { getReport: (data) => (data as Partial<FileReport>).fileText ?? null, silentMaxMs, signal },
  );
  try {
    return await worker.call(file, (report) => {
      if (report.kind === "failed") throw new FileError(report.problem);
      if (report.kind === "progress") onProgress(report.done, report.total);
      return report.kind === "read" ? report.text : null;
    });
  } catch (failure) {
    if (!(failure instanceof FileWorkerError)) throw failure;
    throw new FileError(failure.reason === "slow" ? "slow" : "unreadable");
  } finally {
    worker.close();
  }
}
