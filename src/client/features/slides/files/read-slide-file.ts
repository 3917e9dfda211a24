import { FileWorker, FileWorkerError } from "#client/lib/file-worker.ts";
import { canEncode, encodeSlide } from "./encode-picture.ts";
import {
  type DrawReport,
  type DrawRequest,
  isPdf,
  isPicture,
  SlideFileError,
  type SlidePage,
  type SlidePictures,
  slideFileMaxBytes,
} from "./slide-file.ts";

/** Ten times what the slowest page takes on a slow phone, the library's download included. */
const silentMaxMs = 60_000;

/**
 * Draws the pages of a PDF file in a worker, which ends with it. Gives each as soon as it is drawn.
 *
 * @throws SlideFileError; the reason of `signal` when it was aborted
 */
export async function readSlideFile(
  request: DrawRequest,
  onPage: (page: SlidePage, total: number) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!isPdf(request.file)) throw new SlideFileError("kind");
  if (request.file.size > slideFileMaxBytes) throw new SlideFileError("size");
  signal.throwIfAborted();
  const worker = new FileWorker<DrawRequest, DrawReport["slides"]>(
    new Worker(new URL("./draw.worker.ts", import.meta.url), {
      type: "module",
      name: "draw-slides",
    }),
    { getReport: (data) => (data as Partial<DrawReport>).slides ?? null, silentMaxMs, signal },
  );
  try {
    await worker.call(request, (report) => {
      if (report.kind === "failed") throw new SlideFileError(report.problem);
      if (report.kind === "page") onPage(report.page, report.total);
      return report.kind === "done" ? true : null;
    });
  } catch (failure) {
    if (!(failure instanceof FileWorkerError)) throw failure;
    throw new SlideFileError(failure.reason === "slow" ? "slow" : "broken");
  } finally {
    worker.close();
  }
}

/** A photograph or another picture, as a slide. @throws SlideFileError */
export async function readPicture(file: File): Promise<SlidePictures> {
  if (!isPicture(file)) throw new SlideFileError("kind");
  if (file.size > slideFileMaxBytes) throw new SlideFileError("size");
  if (!canEncode()) throw new SlideFileError("browser");
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new SlideFileError("broken");
  });
  try {
    return await encodeSlide(bitmap);
  } finally {
    bitmap.close();
  }
}
