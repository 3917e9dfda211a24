import type { TextContent, TextItem } from "pdfjs-dist/types/src/display/api.js";
import { boundUnpacking, type UnpackingBounds } from "#client/lib/pdf/bound-unpacking.ts";
import { fileTextMaxLength } from "#shared/limits.ts";
import {
  createFileText,
  FileError,
  type FileText,
  filePagesMax,
  type OnProgress,
} from "./file-text.ts";

const textBounds: UnpackingBounds = {
  streamMaxBytes: 32 * 1024 * 1024,
  allMaxBytes: 1024 * 1024 * 1024,
  freeBytes: 2 * 1024 * 1024,
};

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
  const unpacking = boundUnpacking(bytes.byteLength, textBounds);
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    useWorkerFetch: false,
    BinaryDataFactory: Files,
    cMapUrl: "/",
    useWasm: false,
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
  });
  try {
    const file = await task.promise;
    if (file.numPages > filePagesMax) throw new FileError("pages");
    const texts: string[] = [];
    let left = fileTextMaxLength;
    for (let number = 1; number <= file.numPages; number += 1) {
      onProgress(number - 1, file.numPages);
      const page = await file.getPage(number);
      const text = await readText(page.streamTextContent(), left);
      left -= text.length;
      texts.push(text);
      page.cleanup();
      if (unpacking.isExceeded) break;
    }
    if (unpacking.isExceeded) throw new FileError("unpacked");
    return createFileText("page", texts, true);
  } catch (failure) {
    throw unpacking.isExceeded ? new FileError("unpacked") : toFileError(failure);
  } finally {
    unpacking.end();
    await task.destroy();
  }
}

/** Items of a page for each character that it may have; most have a word. */
const itemsPerCharacter = 2;

/** The text of a page, which may be drawn without end. @throws FileError `long` */
async function readText(stream: ReadableStream<TextContent>, maxLength: number): Promise<string> {
  const reader = stream.getReader();
  const lines: string[] = [];
  let length = 0;
  let count = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return lines.join("");
    count += value.items.length;
    for (const item of value.items.filter((one): one is TextItem => "str" in one)) {
      lines.push(item.hasEOL ? `${item.str}\n` : item.str);
      length += item.str.length;
    }
    if (length <= maxLength && count <= itemsPerCharacter * fileTextMaxLength) continue;
    // The worker ends with the error, so nobody waits for the stream.
    void reader.cancel(new Error("long")).catch(() => {});
    throw new FileError("long");
  }
}

function toFileError(failure: unknown): FileError {
  if (failure instanceof FileError)
    return failure.problem === "empty" ? new FileError("pictures") : failure;
  const isLocked = failure instanceof Error && failure.name === "PasswordException";
  return new FileError(isLocked ? "encrypted" : "broken");
}
