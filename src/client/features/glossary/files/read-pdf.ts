import type { TextItem } from "pdfjs-dist/types/src/display/api.js";
import {
  createFileText,
  FileError,
  type FileText,
  filePagesMax,
  type OnProgress,
} from "./file-text.ts";

/** Reads a file of Adobe's character codes, which older PDF files in Chinese, Japanese and Korean need. */
type LoadCharacterCodes = (name: string) => Promise<Uint8Array>;

/**
 * The text of a PDF file by pages. It runs in a worker, and is not given another one.
 *
 * @throws FileError
 */
export async function readPdf(
  bytes: Uint8Array,
  onProgress: OnProgress,
  loadCharacterCodes: LoadCharacterCodes,
): Promise<FileText> {
  // What pdf.js otherwise loads into a worker of its own.
  // @ts-expect-error The package has no types for it.
  await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  class Files {
    fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      if (kind !== "cMapUrl") throw new Error("Only needed to draw");
      return loadCharacterCodes(filename);
    }
  }
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    ...{ useWorkerFetch: false, BinaryDataFactory: Files, cMapUrl: "/", useWasm: false },
    ...{ disableFontFace: true, useSystemFonts: false, isOffscreenCanvasSupported: false },
  });
  try {
    const file = await task.promise;
    if (file.numPages > filePagesMax) throw new FileError("pages");
    const texts: string[] = [];
    for (let number = 1; number <= file.numPages; number += 1) {
      onProgress(number - 1, file.numPages);
      const page = await file.getPage(number);
      const { items } = await page.getTextContent();
      const lines = items
        .filter((item): item is TextItem => "str" in item)
        .map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str));
      texts.push(lines.join(""));
      page.cleanup();
    }
    return createFileText("page", texts, true);
  } catch (failure) {
    throw toFileError(failure);
  } finally {
    await task.destroy();
  }
}

function toFileError(failure: unknown): FileError {
  if (failure instanceof FileError)
    return failure.problem === "empty" ? new FileError("pictures") : failure;
  const isLocked = failure instanceof Error && failure.name === "PasswordException";
  return new FileError(isLocked ? "encrypted" : "broken");
}
