import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { toApiError } from "#client/lib/call-server.ts";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { api, queryClient, refetchQueries } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import type { FolderList } from "#shared/folder.ts";
import type { Lecture, LectureListItem } from "#shared/lecture.ts";
import {
  applyLectureChange,
  findLecture,
  type LectureFilter,
  type LecturePages,
} from "./lecture-pages.ts";

// Reads and updates the cached queries of the library. New names, places and rows are put into every cached list;
// counts follow with the refetch after a change.

export const queryKeys = {
  lectures: getQueryKey(api.lectures),
  lists: getQueryKey(api.lectures.list),
  folders: getQueryKey(api.folders),
  tree: getQueryKey(api.folders.list, undefined, "query"),
  trash: getQueryKey(api.trash),
  shared: getQueryKey(api.people.shared, undefined, "query"),
  lecture: (id: string) => getQueryKey(api.lectures.get, { id }, "query"),
  item: (id: string) => getQueryKey(api.lectures.item, { id }, "query"),
};

/** The whole lecture. What is cached of it is not fetched again. */
export const lectureQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.lecture(id),
    queryFn: ({ signal }) =>
      fetchLecture(id, { signal }, queryClient.getQueryData<Lecture>(queryKeys.lecture(id))),
  });

/** Of a call for a lecture. An invalid id counts as a deleted lecture. */
export function isNotFound(failure: unknown): boolean {
  const { code } = toApiError(failure);
  return code === "not_found" || code === "validation_failed";
}

/** The filter of a list, read from its query key: the path, then the input. A schema would cost a first visit 5 KB. */
const getFilter = (key: QueryKey): LectureFilter =>
  (key as readonly [unknown, { input?: LectureFilter }?])[1]?.input ?? {};

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

/** The lecture as lists have it, from the server if no cached query has it; null if neither has. */
export async function fetchListItem(id: string): Promise<LectureListItem | null> {
  const queryFn = () => trpc.lectures.item.query({ id });
  const request = { queryKey: queryKeys.item(id), queryFn, staleTime: 60_000 };
  return getCachedLecture(id) ?? (await queryClient.fetchQuery(request).catch(() => null));
}

export function updateCachedLecture(
  id: string,
  change: Partial<Pick<LectureListItem, "title" | "titleSource" | "folderId">>,
): void {
  const before = getCachedLecture(id);
  if (!before) return;
  const after = { ...before, ...change };
  for (const [key, data] of getCachedLists())
    if (data) queryClient.setQueryData(key, applyLectureChange(data, getFilter(key), after));
  const update = <T extends LectureListItem>(cached: T | undefined): T | undefined =>
    cached && { ...cached, ...change };
  queryClient.setQueryData<LectureListItem>(queryKeys.item(id), update);
  queryClient.setQueryData<Lecture>(queryKeys.lecture(id), update);
}

export function removeCachedLectures(isDeleted: (lecture: LectureListItem) => boolean): void {
  const isLeft = (lecture: LectureListItem) => !isDeleted(lecture);
  queryClient.setQueriesData<LecturePages>({ queryKey: queryKeys.lists }, (data) => {
    const pages = data?.pages.map((page) => ({ ...page, items: page.items.filter(isLeft) }));
    return data && pages && { ...data, pages };
  });
}

type Folder = FolderList["folders"][number];

export const getCachedFolders = (): FolderList | null =>
  queryClient.getQueryData<FolderList>(queryKeys.tree) ?? null;

export function updateCachedFolders(update: (folders: Folder[]) => Folder[]): void {
  queryClient.setQueryData<FolderList>(
    queryKeys.tree,
    (list) => list && { ...list, folders: update(list.folders) },
  );
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
