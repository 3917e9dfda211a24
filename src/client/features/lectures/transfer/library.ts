import { lecturePageSize } from "../../../../shared/limits.ts";
import { toApiError } from "../../../lib/failure.ts";
import { fetchLecture } from "../../../lib/stored-lecture.ts";
import { trpc } from "../../../lib/trpc.ts";
import { browserClock } from "../../../realtime/browser/clock.ts";
import { patiently } from "../../../realtime/patience.ts";
import type { Library } from "./folder-zip.ts";
import type { ImportServer } from "./import/store.ts";

/** Runs one call; it rejects with `ApiError`, or with what `signal` was aborted for. */
async function call<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    signal?.throwIfAborted();
    throw toApiError(failure);
  }
}

export const library: Library = {
  folders: (signal) => call(signal, () => trpc.folders.list.query(undefined, { signal })),
  lectures: (folderId, cursor, signal) =>
    call(signal, () =>
      trpc.lectures.list.query({ folderId, cursor, limit: lecturePageSize }, { signal }),
    ),
  lecture: (id, signal) => call(signal, () => fetchLecture(id, { signal })),
};

/** A call of an import, again after a pause where it failed in passing or the user has written too often. */
const write = <T>(run: () => Promise<T>) => patiently(browserClock, () => call(undefined, run));

export const importServer: ImportServer = {
  create: (input) => write(() => trpc.lectures.create.mutate(input)),
  append: (input) => write(() => trpc.lectures.appendEntries.mutate(input)),
  name: (input) => write(() => trpc.lectures.change.mutate(input)),
  move: (input) => write(() => trpc.lectures.move.mutate(input)),
  complete: (input) => write(() => trpc.lectures.complete.mutate(input)),
};

/** Throws away what an import that was called off has left. Best effort: it is a draft otherwise. */
export async function dropImport(id: string): Promise<void> {
  try {
    await trpc.lectures.delete.mutate({ id });
  } catch (failure) {
    console.warn("An import that was called off stays as a draft", failure);
  }
}
