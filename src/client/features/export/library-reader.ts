import { callServer } from "#client/lib/call-server.ts";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { trpc } from "#client/state/trpc.ts";
import { lecturePageSize } from "#shared/limits.ts";
import type { LibraryReader } from "./folder-zip.ts";

export const libraryReader: LibraryReader = {
  folders: (signal) => callServer(() => trpc.folders.list.query(undefined, { signal }), signal),
  lectures: (folderId, cursor, signal) =>
    callServer(
      () => trpc.lectures.list.query({ folderId, cursor, limit: lecturePageSize }, { signal }),
      signal,
    ),
  lecture: (id, signal) => callServer(() => fetchLecture(id, { signal }), signal),
};
