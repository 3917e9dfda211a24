import {
  slidePictureMaxBytes,
  slidePictureMaxWidth,
  slideThumbnailMaxBytes,
  slideThumbnailMaxWidth,
} from "#shared/limits.ts";
import type { PictureBounds, SlidePictures } from "./slide-file.ts";

const fullBounds: PictureBounds = {
  maxLength: slidePictureMaxWidth,
  maxBytes: slidePictureMaxBytes,
};
const thumbnailBounds: PictureBounds = {
  maxLength: slideThumbnailMaxWidth,
  maxBytes: slideThumbnailMaxBytes,
};

/** Until the picture has few enough bytes, it is packed more, and then made smaller. */
const qualities = [0.86, 0.7, 0.5];
const scales = [1, 0.75, 0.5, 0.3];

export const canEncode = (): boolean => typeof OffscreenCanvas === "function";

/** A slide's two pictures. `source` has a size in pixels. */
export async function encodeSlide(source: OffscreenCanvas | ImageBitmap): Promise<SlidePictures> {
  const full = await encode(source, fullBounds);
  const thumbnail = await encode(source, thumbnailBounds);
  return { full: full.blob, thumbnail: thumbnail.blob, width: full.width, height: full.height };
}

async function encode(source: OffscreenCanvas | ImageBitmap, bounds: PictureBounds) {
  const fit = Math.min(1, bounds.maxLength / Math.max(source.width, source.height));
  for (const scale of scales) {
    const width = Math.max(1, Math.round(source.width * fit * scale));
    const height = Math.max(1, Math.round(source.height * fit * scale));
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) break;
    context.imageSmoothingQuality = "high";
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.drawImage(source, 0, 0, width, height);
    for (const quality of qualities) {
      const blob = await toBlob(canvas, quality);
      if (blob.size <= bounds.maxBytes) return { blob, width, height };
    }
  }
  throw new Error("The picture cannot be encoded");
}

/** As WebP; Safari, which writes none, as JPEG. */
async function toBlob(canvas: OffscreenCanvas, quality: number): Promise<Blob> {
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  return blob.type === "image/webp" ? blob : canvas.convertToBlob({ type: "image/jpeg", quality });
}
