import type { Lecture } from "#shared/lecture.ts";
import { createFile } from "./create-file.ts";
import { toSafeName } from "./file-names.ts";
import type { FileOptions } from "./formats.ts";

/**
 * Creates a file of `lecture` and downloads it.
 *
 * @throws when the code of the format cannot be loaded, or `signal` is aborted.
 */
export async function saveFile(
  lecture: Lecture,
  options: FileOptions,
  signal: AbortSignal,
): Promise<void> {
  const file = await createFile(lecture, options, signal);
  download(file, `${toSafeName(lecture.title, options.untitled)}.${options.format}`);
}

/** Time for the browser to start the download before its URL is revoked. */
const urlLifetimeMs = 60_000;

export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs);
}
