import { ApiError, callServer } from "#client/lib/call-server.ts";
import { readSlidePicture } from "#client/state/slide-pictures.ts";
import { trpc } from "#client/state/trpc.ts";
import type { Slide } from "#shared/slides.ts";
import type { ExportedSlide, SlideToExport } from "./exported-slides.ts";

/**
 * A lecture's slides in their order, with their pictures in formats that Word shows. One that was deleted meanwhile is left out.
 *
 * @throws ApiError; the reason of `signal`
 */
export async function readSlides(lectureId: string, signal: AbortSignal): Promise<SlideToExport[]> {
  const slides = await callServer(() => trpc.slides.list.query({ lectureId }, { signal }), signal);
  const read: SlideToExport[] = [];
  for (const slide of slides) {
    signal.throwIfAborted();
    if (!slide.hasPictures) continue;
    const picture = await readPicture(slide).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.code === "not_found") return null;
      throw failure;
    });
    if (picture) read.push({ ...slide, picture });
  }
  return read;
}

async function readPicture({ id }: Slide): Promise<ExportedSlide["picture"]> {
  const blob = await readSlidePicture(id, "full");
  const { type } = blob;
  if (type === "image/jpeg" || type === "image/png")
    return { type, data: new Uint8Array(await blob.arrayBuffer()) };
  return { type: "image/jpeg", data: await convertToJpeg(blob) };
}

/** Word shows no WebP. */
async function convertToJpeg(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const bitmap = await createImageBitmap(blob);
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/jpeg", 0.85);
  const jpeg = await promise;
  if (!jpeg) throw new Error("The picture cannot be converted");
  return new Uint8Array(await jpeg.arrayBuffer());
}
