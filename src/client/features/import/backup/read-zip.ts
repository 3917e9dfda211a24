import {
  BlobReader,
  BlobWriter,
  configure,
  ERR_UNSAFE_FILENAME,
  type FileEntry,
  ZipReader,
} from "@zip.js/zip.js/lib/zip-core-native.js";

/**
 * `kind`: no backup. `broken`: damaged, or its end is missing. `unsafe`: what no backup has, such as a path that leaves its
 * folder, or more than a backup can hold. `version`: of a later version.
 */
export type BackupProblem = "kind" | "broken" | "unsafe" | "version";

export class BackupError extends Error {
  override readonly name = "BackupError";

  constructor(readonly problem: BackupProblem) {
    super(problem);
  }
}

/** Of the header of its first file, and of the end of an empty ZIP. */
const beginnings = ["PK\u0003\u0004", "PK\u0005\u0006"];
/** 20,000 lectures and their sound. */
const entriesMax = 200_000;

// The page's content security policy has no workers from texts.
configure({ useWebWorkers: false });

/**
 * The files in a ZIP of any size, by path. Only its directory is read.
 *
 * @throws BackupError `kind`, `broken`, `unsafe`
 */
export async function listZip(zip: Blob): Promise<Map<string, FileEntry>> {
  if (!beginnings.includes(await zip.slice(0, 4).text())) throw new BackupError("kind");
  const files = new Map<string, FileEntry>();
  const reader = new ZipReader(new BlobReader(zip));
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (files.size >= entriesMax || files.has(entry.filename)) throw new BackupError("unsafe");
      if (!entry.directory) files.set(entry.filename, entry);
    }
  } catch (failure) {
    if (failure instanceof BackupError) throw failure;
    const isUnsafe = failure instanceof Error && failure.message === ERR_UNSAFE_FILENAME;
    throw new BackupError(isUnsafe ? "unsafe" : "broken");
  }
  return files;
}

/**
 * The content of a file in a ZIP, which is whole.
 *
 * @throws BackupError `broken`, `unsafe` if it has more than `maxBytes`
 */
export async function readZipEntry(entry: FileEntry, maxBytes: number): Promise<Blob> {
  if (entry.uncompressedSize > maxBytes) throw new BackupError("unsafe");
  try {
    return await entry.getData(new BlobWriter(), { checkCrc32: true });
  } catch {
    throw new BackupError("broken");
  }
}
