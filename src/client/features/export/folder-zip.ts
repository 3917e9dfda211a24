import { makeZip } from "client-zip";
import { ApiError } from "#client/realtime/server-api.ts";
import type { FolderList } from "#shared/folder.ts";
import type { Lecture } from "#shared/lecture.ts";
import { createFile } from "./create-file.ts";
import { toSafeName, UniqueNames } from "./file-names.ts";
import type { FileLabels, FileRequest, Format } from "./formats.ts";
import { type Sides, toDocument } from "./lecture-document.ts";

interface LecturePage {
  items: { id: string; title: string }[];
  nextCursor: string | null;
}

/** Where lectures come from. Each call rejects with `ApiError`, or with what `signal` was aborted for. */
export interface LibraryReader {
  folders(signal: AbortSignal): Promise<FolderList>;
  lectures(folderId: string, cursor: string | null, signal: AbortSignal): Promise<LecturePage>;
  lecture(id: string, signal: AbortSignal): Promise<Lecture>;
}

interface FolderRequest {
  folderId: string;
  format: Format;
  sides: Sides;
  untitled: string;
  getLabels: (lecture: Lecture) => FileLabels;
}

interface ZipOptions {
  signal: AbortSignal;
  /** Lectures that were dealt with, and how many there are. */
  onProgress: (done: number, total: number) => void;
}

interface FolderZipResult {
  zip: Blob;
  /** Lectures in it. */
  files: number;
  /** Paths of lectures, and of folders ending in `/`, that could not be had. */
  failed: string[];
}

interface ZipFolder {
  id: string;
  /** From the folder that is exported, each name with `/` behind it. */
  path: string;
  names: UniqueNames;
}

/** The folder `rootId` and all below it, each before what is in it. */
function listZipFolders({ folders }: FolderList, rootId: string, untitled: string): ZipFolder[] {
  const children = Map.groupBy(folders, (folder) => folder.parentFolderId);
  const root = folders.find((folder) => folder.id === rootId);
  if (!root) throw new ApiError("not_found", false);
  const places: ZipFolder[] = [];
  const seen = new Set<string>();
  const enter = (folder: { id: string; name: string }, above: ZipFolder | null) => {
    if (seen.has(folder.id)) return;
    seen.add(folder.id);
    const wanted = toSafeName(folder.name, untitled);
    const name = above === null ? wanted : above.names.reserve(wanted);
    const place = { id: folder.id, path: `${above?.path ?? ""}${name}/`, names: new UniqueNames() };
    places.push(place);
    for (const child of children.get(folder.id) ?? []) enter(child, place);
  };
  enter(root, null);
  return places;
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
 * A folder with all below it as a ZIP: one lecture after the other is fetched, made into its file and
 * handed on, so that never more than one is held. What cannot be had is left out and named.
 *
 * @throws ApiError when the folder is gone or nobody is signed in; what `signal` was aborted for.
 */
export async function zipFolder(
  library: LibraryReader,
  request: FolderRequest,
  { signal, onProgress }: ZipOptions,
): Promise<FolderZipResult> {
  const list = await retryOnce(() => library.folders(signal));
  const places = listZipFolders(list, request.folderId, request.untitled);
  const within = new Set(places.map((place) => place.id));
  const total = list.folders
    .filter((folder) => within.has(folder.id))
    .reduce((sum, folder) => sum + folder.lectures, 0);
  const failed: string[] = [];
  let files = 0;
  let done = 0;
  onProgress(done, total);

  async function* listLectures(place: ZipFolder) {
    let cursor: string | null = null;
    do {
      const at: string | null = cursor;
      const page: LecturePage = await retryOnce(() => library.lectures(place.id, at, signal));
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  async function createLectureFile(id: string) {
    try {
      const lecture = await retryOnce(() => library.lecture(id, signal));
      const input = await createFile(toFileRequest(lecture, request), signal);
      return { input, lastModified: new Date(lecture.updatedAt) };
    } catch (failure) {
      if (isFatal(failure, signal)) throw failure;
      return null;
    }
  }

  async function* generateFolderEntries(place: ZipFolder) {
    yield { name: place.path };
    for await (const { id, title } of listLectures(place)) {
      const name = place.names.reserve(toSafeName(title, request.untitled), `.${request.format}`);
      const path = `${place.path}${name}`;
      const made = await createLectureFile(id);
      if (made === null) failed.push(path);
      else {
        files += 1;
        yield { name: path, ...made };
      }
      done += 1;
      onProgress(done, Math.max(done, total));
    }
  }

  /** What ended the work. A browser tells of a stream that broke in words of its own. */
  let end: { failure: unknown } | null = null;

  async function* generateEntries() {
    for (const place of places) {
      try {
        yield* generateFolderEntries(place);
      } catch (failure) {
        if (isFatal(failure, signal)) {
          end = { failure };
          throw failure;
        }
        failed.push(place.path);
      }
    }
  }

  const zip = await new Response(makeZip(generateEntries())).blob().catch((failure: unknown) => {
    throw end === null ? failure : end.failure;
  });
  signal.throwIfAborted();
  return { zip: new Blob([zip], { type: "application/zip" }), files, failed };
}

const toFileRequest = (lecture: Lecture, request: FolderRequest): FileRequest => ({
  lecture: toDocument(lecture, request.untitled),
  format: request.format,
  sides: request.sides,
  labels: request.getLabels(lecture),
});
