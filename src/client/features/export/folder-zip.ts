import { downloadZip } from "client-zip";
import { ApiError } from "#client/lib/call-server.ts";
import { toSafeName, UniqueNames } from "#client/lib/file-names.ts";
import { toCsv } from "#client/lib/glossary-table.ts";
import type { FolderList } from "#shared/folder.ts";
import { type Glossary, resolveTerms } from "#shared/glossary.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { FileOptions } from "./formats.ts";
import { createFile } from "./save-file.ts";

/** Reads the library from the server. Calls reject with `ApiError`, or with the abort reason of `signal`. */
export interface LibraryReader {
  folders(signal: AbortSignal): Promise<FolderList>;
  lectures(
    folderId: string,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<{ items: { id: string; title: string }[]; nextCursor: string | null }>;
  lecture(id: string, signal: AbortSignal): Promise<Lecture>;
  /** The terms of a folder and of those above it; null: of the whole library. */
  glossary(folderId: string | null): Promise<Glossary>;
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
  /** Number of lectures. */
  lectures: number;
}

/** The folder `rootId` and all folders below it, parents first. */
function listZipFolders({ folders }: FolderList, rootId: string, untitled: string): ZipFolder[] {
  const children = Map.groupBy(folders, (folder) => folder.parentFolderId);
  const root = folders.find((folder) => folder.id === rootId);
  if (!root) throw new ApiError("not_found", false);
  const zipFolders: ZipFolder[] = [];
  const seen = new Set<string>();
  const visit = ({ id, name, lectures }: typeof root, siblings: UniqueNames, above: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    const path = `${above}${siblings.reserve(toSafeName(name, untitled))}/`;
    const names = new UniqueNames();
    zipFolders.push({ id, path, names, lectures });
    for (const child of children.get(id) ?? []) visit(child, names, path);
  };
  visit(root, new UniqueNames(), "");
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

/**
 * Packs a folder and everything below it into a ZIP. Lectures are fetched and converted one at a time; what becomes of
 * each is a blob, which the browser need not keep in memory. Lectures that cannot be fetched are left out.
 *
 * Its glossary, and those of folders below it that have their own, are in `glossary.csv`.
 *
 * @returns `files`: number of lectures in the ZIP; `failed`: paths of lectures, and of folders (ending in `/`), that
 * could not be fetched.
 * @throws ApiError when the folder does not exist or the user is signed out; the abort reason of `signal`.
 */
export async function zipFolder(library: LibraryReader, folderId: string, options: ZipOptions) {
  const { untitled, format, signal, onProgress } = options;
  const list = await retryOnce(() => library.folders(signal));
  const zipFolders = listZipFolders(list, folderId, untitled);
  const total = zipFolders.reduce((sum, { lectures }) => sum + lectures, 0);
  const entries: { name: string; input?: Blob | string; lastModified?: Date }[] = [];
  const failed: string[] = [];
  let done = 0;
  onProgress(done, total);

  function leaveOut(path: string, failure: unknown) {
    const isSignedOut = failure instanceof ApiError && failure.code === "unauthenticated";
    if (signal.aborted || isSignedOut) throw failure;
    failed.push(path);
  }

  async function addLecture(id: string, name: string) {
    try {
      const lecture = await retryOnce(() => library.lecture(id, signal));
      const input = await createFile(lecture, options, signal);
      entries.push({ name, input, lastModified: new Date(lecture.updatedAt) });
    } catch (failure) {
      leaveOut(name, failure);
    }
    done += 1;
    onProgress(done, Math.max(done, total));
  }

  /** Terms of its own; of the exported folder also those that it inherits. */
  async function addGlossary({ id, path, names }: ZipFolder) {
    const name = path + names.reserve("glossary", ".csv");
    try {
      const glossary = await retryOnce(() => library.glossary(id));
      signal.throwIfAborted();
      const hasOwn = glossary.terms.some((term) => term.folderId === id);
      const terms = id === folderId || hasOwn ? resolveTerms(glossary) : [];
      if (terms.length > 0) entries.push({ name, input: toCsv(terms) });
    } catch (failure) {
      leaveOut(name, failure);
    }
  }

  async function addFolder(zipFolder: ZipFolder) {
    const { id, path, names } = zipFolder;
    entries.push({ name: path });
    await addGlossary(zipFolder);
    let cursor: string | null = null;
    do {
      const page = await retryOnce(() => library.lectures(id, cursor, signal));
      for (const { id: lectureId, title } of page.items)
        await addLecture(
          lectureId,
          path + names.reserve(toSafeName(title, untitled), `.${format}`),
        );
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  for (const zipFolder of zipFolders)
    await addFolder(zipFolder).catch((failure: unknown) => leaveOut(zipFolder.path, failure));
  const zip = await downloadZip(entries).blob();
  signal.throwIfAborted();
  return { zip, files: entries.filter(({ input }) => input instanceof Blob).length, failed };
}
