import { lecturePageSize } from "../../../../shared/limits.ts";
import { toApiError } from "../../../lib/failure.ts";
import { trpc } from "../../../lib/trpc.ts";
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

/** The lectures of whoever is signed in, past what the pages have in store. */
export const library: Library = {
  folders: (signal) => call(signal, () => trpc.folders.list.query(undefined, { signal })),
  lectures: (folderId, cursor, signal) =>
    call(signal, () =>
      trpc.lectures.list.query({ folderId, cursor, limit: lecturePageSize }, { signal }),
    ),
  lecture: (id, signal) => call(signal, () => trpc.lectures.get.query({ id }, { signal })),
};

/** The procedures that an import calls. */
export const importServer: ImportServer = {
  create: (input) => call(undefined, () => trpc.lectures.create.mutate(input)),
  append: (input) => call(undefined, () => trpc.lectures.appendEntries.mutate(input)),
  name: (input) => call(undefined, () => trpc.lectures.change.mutate(input)),
  move: (input) => call(undefined, () => trpc.lectures.move.mutate(input)),
  complete: (input) => call(undefined, () => trpc.lectures.complete.mutate(input)),
};

/** Throws away what an import that was called off has left. Best effort: it is a draft otherwise. */
export async function dropImport(id: string): Promise<void> {
  try {
    await trpc.lectures.delete.mutate({ id });
  } catch (failure) {
    console.warn("An import that was called off stays as a draft", failure);
  }
}
