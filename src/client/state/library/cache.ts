import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { refetchQueries } from "#client/lib/refetch.ts";
import { api } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { Lecture, LectureListItem } from "#shared/lecture.ts";
import {
  applyChipChange,
  applyFolderChange,
  type ChipPages,
  type FolderChange,
} from "./folder-lists.ts";
import {
  applyLectureChange,
  findLecture,
  type LectureFilter,
  type LecturePages,
} from "./lecture-pages.ts";

export const queryKeys = {
  lectures: getQueryKey(api.lectures),
  lists: getQueryKey(api.lectures.list),
  folders: getQueryKey(api.folders),
  tree: getQueryKey(api.folders.list, undefined, "query"),
  chips: getQueryKey(api.folders.chips),
  trash: getQueryKey(api.trash),
  lecture: (id: string) => getQueryKey(api.lectures.get, { id }, "query"),
  item: (id: string) => getQueryKey(api.lectures.item, { id }, "query"),
};

/** The input of a query, read from its key. */
function getQueryInput(key: QueryKey): Record<string, unknown> {
  const options = key[1];
  if (typeof options !== "object" || options === null || !("input" in options)) return {};
  return typeof options.input === "object" && options.input !== null ? { ...options.input } : {};
}

function getLectureFilter(key: QueryKey): LectureFilter {
  const { folderId, title } = getQueryInput(key);
  return {
    ...((typeof folderId === "string" || folderId === null) && { folderId }),
    ...(typeof title === "string" && { title }),
  };
}

/** Reads and updates the cached queries of the library. A change is put into every cached list that shows it. */
export class LibraryCache {
  readonly #queries: QueryClient;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** The cached lecture; null if no cached query has it. */
  getLecture(id: string): LectureListItem | null {
    const lists = this.#queries.getQueriesData<LecturePages>({ queryKey: queryKeys.lists });
    return (
      findLecture(
        lists.map(([, data]) => data),
        id,
      ) ??
      this.#queries.getQueryData<LectureListItem>(queryKeys.item(id)) ??
      this.#queries.getQueryData<Lecture>(queryKeys.lecture(id)) ??
      null
    );
  }

  get folders(): FolderList | null {
    return this.#queries.getQueryData<FolderList>(queryKeys.tree) ?? null;
  }

  /** Applies `change` to lecture `id` in every cached query. `change` returns null for a deleted lecture. */
  changeLecture(id: string, change: (lecture: LectureListItem) => LectureListItem | null): void {
    const before = this.getLecture(id);
    const after = before && change(before);
    if (!before || after === before) return;
    for (const [key, data] of this.#queries.getQueriesData<LecturePages>({
      queryKey: queryKeys.lists,
    }))
      if (data)
        this.#queries.setQueryData(
          key,
          applyLectureChange(data, getLectureFilter(key), before, after),
        );
    if (after === null) {
      this.#queries.removeQueries({ queryKey: queryKeys.item(id), type: "inactive" });
      this.changeFolders({ kind: "lectureRemoved", from: before.folderId });
      return;
    }
    const { title, folderId } = after;
    const patch = <T extends LectureListItem>(cached: T | undefined): T | undefined =>
      cached && { ...cached, title, folderId };
    this.#queries.setQueryData<LectureListItem>(queryKeys.item(id), patch);
    this.#queries.setQueryData<Lecture>(queryKeys.lecture(id), patch);
    if (folderId !== before.folderId)
      this.changeFolders({ kind: "lectureMoved", from: before.folderId, to: folderId });
  }

  clearLectures(): void {
    const empty: LecturePages = {
      pages: [{ items: [], nextCursor: null, total: 0 }],
      pageParams: [null],
    };
    this.#queries.setQueriesData<LecturePages>(
      { queryKey: queryKeys.lists },
      (data) => data && empty,
    );
    this.changeFolders({ kind: "lecturesRemoved" });
  }

  /** Applies `change` to the folder tree and the filter chips. */
  changeFolders(change: FolderChange): void {
    this.#queries.setQueryData<FolderList>(
      queryKeys.tree,
      (list) => list && applyFolderChange(list, change),
    );
    for (const [key, data] of this.#queries.getQueriesData<ChipPages>({
      queryKey: queryKeys.chips,
    })) {
      if (!data) continue;
      const { name } = getQueryInput(key);
      this.#queries.setQueryData(
        key,
        applyChipChange(data, typeof name === "string" ? name : "", change),
      );
    }
  }

  /** Cancels refetches in flight: their responses would undo a change that was just applied. */
  async cancelFetches(): Promise<void> {
    const cancellations = [queryKeys.lectures, queryKeys.folders].map((queryKey) =>
      this.#queries.cancelQueries({
        queryKey,
        predicate: ({ state }) => state.data !== undefined,
      }),
    );
    await Promise.all(cancellations);
  }

  async refresh(): Promise<void> {
    const refetches = [queryKeys.lectures, queryKeys.folders, queryKeys.trash].map((queryKey) =>
      refetchQueries(this.#queries, queryKey),
    );
    await Promise.all(refetches);
  }
}
