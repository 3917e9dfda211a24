import { browserClock, Timer } from "#client/lib/clock.ts";
import { FileError, type FileReport, type FileText, type OnProgress } from "./file-text.ts";

/** Ten times what the slowest page takes on a slow phone, the libraries' download included. */
const stallMaxMs = 60_000;

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
  const { promise, resolve, reject } = Promise.withResolvers<FileText>();
  const worker = new Worker(new URL("./file-text.worker.ts", import.meta.url), {
    type: "module",
    name: "file-text",
  });
  const stall = new Timer(browserClock);
  const watch = () => stall.start(stallMaxMs, () => reject(new FileError("slow")));
  const abort = () => reject(signal.reason);
  worker.addEventListener("message", ({ data }: MessageEvent<Partial<FileReport>>) => {
    const { fileText } = data;
    if (fileText?.kind === "read") resolve(fileText.text);
    if (fileText?.kind === "failed") reject(new FileError(fileText.problem));
    if (fileText?.kind !== "progress") return;
    watch();
    onProgress(fileText.done, fileText.total);
  });
  worker.addEventListener("error", () => reject(new FileError("unreadable")));
  signal.addEventListener("abort", abort);
  watch();
  worker.postMessage(file);
  try {
    return await promise;
  } finally {
    stall.cancel();
    signal.removeEventListener("abort", abort);
    worker.terminate();
  }
}
