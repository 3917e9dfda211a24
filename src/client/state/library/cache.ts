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

/** What a query was asked with, as its key carries it. */
function getQueryInput(key: QueryKey): Record<string, unknown> {
  const asked = key[1];
  if (typeof asked !== "object" || asked === null || !("input" in asked)) return {};
  return typeof asked.input === "object" && asked.input !== null ? { ...asked.input } : {};
}

function getLectureFilter(key: QueryKey): LectureFilter {
  const { folderId, title } = getQueryInput(key);
  return {
    ...((typeof folderId === "string" || folderId === null) && { folderId }),
    ...(typeof title === "string" && { title }),
  };
}

/** The queries that show the library. What is changed here is seen at once wherever it is shown. */
export class LibraryCache {
  readonly #queries: QueryClient;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** The lecture as the page knows it; null where no list has it. */
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

  /** Puts `change` of lecture `id` into everything that shows it; null: it is gone. */
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
    const patch = <T extends LectureListItem>(known: T | undefined): T | undefined =>
      known && { ...known, title, folderId };
    this.#queries.setQueryData<LectureListItem>(queryKeys.item(id), patch);
    this.#queries.setQueryData<Lecture>(queryKeys.lecture(id), patch);
    if (folderId !== before.folderId)
      this.changeFolders({ kind: "lectureMoved", from: before.folderId, to: folderId });
  }

  clearLectures(): void {
    const none: LecturePages = {
      pages: [{ items: [], nextCursor: null, total: 0 }],
      pageParams: [null],
    };
    this.#queries.setQueriesData<LecturePages>(
      { queryKey: queryKeys.lists },
      (data) => data && none,
    );
    this.changeFolders({ kind: "lecturesRemoved" });
  }

  /** Puts `change` into the tree and the filter chips. */
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

  /** No answer that is still on its way undoes a change that was just made. */
  async cancelFetches(): Promise<void> {
    const asked = [queryKeys.lectures, queryKeys.folders].map((queryKey) =>
      this.#queries.cancelQueries({
        queryKey,
        predicate: ({ state }) => state.data !== undefined,
      }),
    );
    await Promise.all(asked);
  }

  async refresh(): Promise<void> {
    const stale = [queryKeys.lectures, queryKeys.folders, queryKeys.trash].map((queryKey) =>
      refetchQueries(this.#queries, queryKey),
    );
    await Promise.all(stale);
  }
}
