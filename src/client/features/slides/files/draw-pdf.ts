import type { TextItem } from "pdfjs-dist/types/src/display/api.js";
import { boundUnpacking, type UnpackingBounds } from "#client/lib/pdf/bound-unpacking.ts";
import { fetchData, loadCharacterCodes } from "#client/lib/pdf/pdf-data.ts";
import { dropControls } from "#client/lib/text.ts";
import { slidePictureMaxWidth, slideTextMaxLength } from "#shared/limits.ts";
import { encodeSlide } from "./encode-picture.ts";
import { SlideFileError, type SlidePage } from "./slide-file.ts";

/** Fonts in place of those that each PDF program must have. */
const standardFonts = import.meta.glob<string>(
  "../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}",
  { query: "?url&no-inline", import: "default", eager: true },
);

/** Photographs unpack to much more than text. */
const pictureBounds: UnpackingBounds = {
  streamMaxBytes: 128 * 1024 * 1024,
  allMaxBytes: 32 * 1024 * 1024 * 1024,
  freeBytes: 64 * 1024 * 1024,
};
/** Pixels of a picture in the file; a larger one is left out. */
const imageMaxPixels = 24_000_000;
/** Pieces of text of a page that are read. */
const textItemsMax = 4_000;

/** In a worker there is no document that could make them. */
class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext("2d", { willReadFrequently: true }) };
  }
  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number) {
    canvas.width = width;
    canvas.height = height;
  }
  destroy(made: { canvas: OffscreenCanvas | null; context: unknown }) {
    if (made.canvas) {
      made.canvas.width = 0;
      made.canvas.height = 0;
    }
    made.canvas = null;
    made.context = null;
  }
  getNoAlphaContext(canvas: OffscreenCanvas) {
    return canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }
}

/** Filters are elements of a document: without one soft masks are drawn plainly. */
class Filters {
  addFilter = () => "none";
  addHCMFilter = () => "none";
  addAlphaFilter = () => "none";
  addLuminosityFilter = () => "none";
  addKnockoutFilter = () => "none";
  addHighlightHCMFilter = () => "none";
  addSelectionHCMFilter = () => "none";
  addSelectionFilter = () => "none";
  createSelectionStyle = () => null;
  destroy() {}
}

class Files {
  fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind === "cMapUrl") return loadCharacterCodes(filename);
    if (kind === "standardFontDataUrl") return fetchData(standardFonts, filename);
    throw new Error("Only needed for rare pictures, which are left out");
  }
}

/**
 * Draws the pages of a PDF file one after the other. It runs in a worker, and is not given another one.
 *
 * @throws SlideFileError
 */
export async function drawPdf(
  bytes: Uint8Array,
  pagesMax: number,
  onPage: (page: SlidePage, total: number) => void,
): Promise<void> {
  // What pdf.js otherwise loads into a worker of its own.
  // @ts-expect-error The package has no types for it.
  await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const unpacking = boundUnpacking(bytes.byteLength, pictureBounds);
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    useWorkerFetch: false,
    CanvasFactory: Canvases,
    FilterFactory: Filters,
    BinaryDataFactory: Files,
    cMapUrl: "/",
    standardFontDataUrl: "/",
    useWasm: false,
    maxImageSize: imageMaxPixels,
    // Letters are drawn as shapes: a worker has no place for fonts.
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  });
  try {
    const file = await task.promise;
    if (file.numPages > pagesMax) throw new SlideFileError("pages");
    for (let number = 1; number <= file.numPages; number += 1) {
      const page = await file.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: slidePictureMaxWidth / Math.max(width, height) });
      const canvas = new OffscreenCanvas(
        Math.max(1, Math.floor(viewport.width)),
        Math.max(1, Math.floor(viewport.height)),
      );
      await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
      const text = readText((await page.getTextContent()).items);
      onPage({ page: number, text, ...(await encodeSlide(canvas)) }, file.numPages);
      page.cleanup();
      if (unpacking.isExceeded) break;
    }
    if (unpacking.isExceeded) throw new SlideFileError("broken");
  } catch (failure) {
    if (failure instanceof SlideFileError) throw failure;
    console.warn("A PDF file could not be drawn", failure);
    const isLocked = failure instanceof Error && failure.name === "PasswordException";
    throw new SlideFileError(isLocked ? "locked" : "broken");
  } finally {
    unpacking.end();
    await task.destroy();
  }
}

/** The words of a page, with a line for each of its lines. */
function readText(items: readonly (TextItem | object)[]): string {
  let text = "";
  for (const item of items.slice(0, textItemsMax)) {
    if (!("str" in item)) continue;
    text += item.hasEOL ? `${item.str}\n` : item.str;
    if (text.length > slideTextMaxLength) break;
  }
  return dropControls(text)
    .replace(/[^\S\n]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim()
    .slice(0, slideTextMaxLength)
    .toWellFormed();
}
