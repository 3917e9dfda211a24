import type { QueryKey } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { api, queryClient, refetchQueries } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { Lecture, LectureListItem } from "#shared/lecture.ts";
import {
  applyChipChange,
  applyFolderChange,
  type ChipPages,
  type FolderChange,
} from "./folder-lists.ts";
import { applyLectureChange, findLecture, type LecturePages } from "./lecture-pages.ts";

// Reads and updates the cached queries of the library. A change is put into every cached list that shows it.

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

interface Filter {
  folderId?: string | null;
  title?: string;
  name?: string;
}

/** The filter of a list, read from its query key: the path, then the input. A schema would cost a first visit 5 KB. */
const getFilter = (key: QueryKey): Filter =>
  (key as readonly [unknown, { input?: Filter }?])[1]?.input ?? {};

const getCachedLists = () =>
  queryClient.getQueriesData<LecturePages>({ queryKey: queryKeys.lists });

/** The cached lecture; null if no cached query has it. */
export function getCachedLecture(id: string): LectureListItem | null {
  const lists = getCachedLists().map(([, data]) => data);
  return (
    findLecture(lists, id) ??
    queryClient.getQueryData<LectureListItem>(queryKeys.item(id)) ??
    queryClient.getQueryData<Lecture>(queryKeys.lecture(id)) ??
    null
  );
}

export const getCachedFolders = (): FolderList | null =>
  queryClient.getQueryData<FolderList>(queryKeys.tree) ?? null;

/** Changes lecture `id` in every cached query; null: it was deleted. */
export function updateCachedLecture(
  id: string,
  change: Partial<Pick<LectureListItem, "title" | "titleSource" | "folderId">> | null,
): void {
  const before = getCachedLecture(id);
  if (!before) return;
  const after = change && { ...before, ...change };
  for (const [key, data] of getCachedLists())
    if (data)
      queryClient.setQueryData(key, applyLectureChange(data, getFilter(key), before, after));
  if (change === null) {
    queryClient.removeQueries({ queryKey: queryKeys.item(id), type: "inactive" });
  } else {
    const update = <T extends LectureListItem>(cached: T | undefined): T | undefined =>
      cached && { ...cached, ...change };
    queryClient.setQueryData<LectureListItem>(queryKeys.item(id), update);
    queryClient.setQueryData<Lecture>(queryKeys.lecture(id), update);
  }
  const to = after?.folderId;
  if (to !== before.folderId)
    updateCachedFolders({ kind: "lectureMoved", from: before.folderId, to });
}

export function clearCachedLectures(): void {
  const page = { items: [], nextCursor: null, total: 0 };
  queryClient.setQueriesData<LecturePages>(
    { queryKey: queryKeys.lists },
    (data) => data && { pages: [page], pageParams: [null] },
  );
  updateCachedFolders({ kind: "lecturesRemoved" });
}

/** Applies `change` to the folder tree and the filter chips. */
export function updateCachedFolders(change: FolderChange): void {
  queryClient.setQueryData<FolderList>(
    queryKeys.tree,
    (list) => list && applyFolderChange(list, change),
  );
  for (const [key, data] of queryClient.getQueriesData<ChipPages>({ queryKey: queryKeys.chips }))
    if (data)
      queryClient.setQueryData(key, applyChipChange(data, getFilter(key).name ?? "", change));
}

/** Cancels refetches in flight: their responses would undo a change that was just applied. */
export async function cancelFetches(): Promise<void> {
  const cancellations = [queryKeys.lectures, queryKeys.folders].map((queryKey) =>
    queryClient.cancelQueries({ queryKey, predicate: ({ state }) => state.data !== undefined }),
  );
  await Promise.all(cancellations);
}

export async function refetchLibrary(): Promise<void> {
  const { lectures, folders, trash } = queryKeys;
  await Promise.all([lectures, folders, trash].map(refetchQueries));
}
