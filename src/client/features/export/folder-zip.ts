import { makeZip } from "client-zip";
import { ApiError } from "#client/lib/api-error.ts";
import type { FolderList } from "#shared/folder.ts";
import type { Lecture } from "#shared/lecture.ts";
import { createFile } from "./create-file.ts";
import { toSafeName, UniqueNames } from "./file-names.ts";
import type { FileOptions } from "./formats.ts";

/** Reads the library from the server. Calls reject with `ApiError`, or with the abort reason of `signal`. */
export interface LibraryReader {
  folders(signal: AbortSignal): Promise<FolderList>;
  lectures(
    folderId: string,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<{ items: { id: string; title: string }[]; nextCursor: string | null }>;
  lecture(id: string, signal: AbortSignal): Promise<Lecture>;
}

interface ZipOptions extends FileOptions {
  signal: AbortSignal;
  /** Number of lectures processed, and their total. */
  onProgress: (done: number, total: number) => void;
}

interface ZipFolder {
  id: string;
  /** From the exported folder down; each name is followed by `/`. */
  path: string;
  names: UniqueNames;
}

/** The folder `rootId` and all folders below it, parents first. */
function listZipFolders({ folders }: FolderList, rootId: string, untitled: string): ZipFolder[] {
  const children = Map.groupBy(folders, (folder) => folder.parentFolderId);
  const root = folders.find((folder) => folder.id === rootId);
  if (!root) throw new ApiError("not_found", false);
  const zipFolders: ZipFolder[] = [];
  const seen = new Set<string>();
  const visit = (folder: { id: string; name: string }, parent: ZipFolder | null) => {
    if (seen.has(folder.id)) return;
    seen.add(folder.id);
    const safeName = toSafeName(folder.name, untitled);
    const name = parent === null ? safeName : parent.names.reserve(safeName);
    const zipFolder = {
      id: folder.id,
      path: `${parent?.path ?? ""}${name}/`,
      names: new UniqueNames(),
    };
    zipFolders.push(zipFolder);
    for (const child of children.get(folder.id) ?? []) visit(child, zipFolder);
  };
  visit(root, null);
  return zipFolders;
}

async function retryOnce<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof ApiError && failure.retryable) return run();
    throw failure;
  }
}

const isFatal = (failure: unknown, signal: AbortSignal) =>
  signal.aborted || (failure instanceof ApiError && failure.code === "unauthenticated");

/**
 * Packs a folder and everything below it into a ZIP. Lectures are fetched and converted one at a time, so that only one
 * is in memory. Lectures that cannot be fetched are left out.
 *
 * @returns `files`: number of lectures in the ZIP; `failed`: paths of lectures, and of folders (ending in `/`), that
 * could not be fetched.
 * @throws ApiError when the folder does not exist or the user is signed out; the abort reason of `signal`.
 */
export async function zipFolder(library: LibraryReader, folderId: string, options: ZipOptions) {
  const { untitled, signal, onProgress } = options;
  const list = await retryOnce(() => library.folders(signal));
  const zipFolders = listZipFolders(list, folderId, untitled);
  const ids = new Set(zipFolders.map((zipFolder) => zipFolder.id));
  const total = list.folders
    .filter((folder) => ids.has(folder.id))
    .reduce((sum, folder) => sum + folder.lectures, 0);
  const failed: string[] = [];
  let files = 0;
  let done = 0;
  onProgress(done, total);

  async function* listLectures({ id }: ZipFolder) {
    let cursor: string | null = null;
    do {
      const page = await retryOnce(() => library.lectures(id, cursor, signal));
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  async function createLectureFile(id: string) {
    try {
      const lecture = await retryOnce(() => library.lecture(id, signal));
      const input = await createFile(lecture, options, signal);
      return { input, lastModified: new Date(lecture.updatedAt) };
    } catch (failure) {
      if (isFatal(failure, signal)) throw failure;
      return null;
    }
  }

  async function* generateFolderEntries(zipFolder: ZipFolder) {
    yield { name: zipFolder.path };
    for await (const { id, title } of listLectures(zipFolder)) {
      const name = zipFolder.names.reserve(toSafeName(title, untitled), `.${options.format}`);
      const path = `${zipFolder.path}${name}`;
      const file = await createLectureFile(id);
      if (file === null) failed.push(path);
      else {
        files += 1;
        yield { name: path, ...file };
      }
      done += 1;
      onProgress(done, Math.max(done, total));
    }
  }

  /** The original error: a browser reports a failed stream with an error of its own. */
  let fatal: { failure: unknown } | null = null;

  async function* generateEntries() {
    for (const zipFolder of zipFolders) {
      try {
        yield* generateFolderEntries(zipFolder);
      } catch (failure) {
        if (isFatal(failure, signal)) {
          fatal = { failure };
          throw failure;
        }
        failed.push(zipFolder.path);
      }
    }
  }

  const zip = await new Response(makeZip(generateEntries())).blob().catch((failure: unknown) => {
    throw fatal === null ? failure : fatal.failure;
  });
  signal.throwIfAborted();
  return { zip: new Blob([zip], { type: "application/zip" }), files, failed };
}
