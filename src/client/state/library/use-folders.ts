import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useCallback, useMemo } from "react";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import type { FolderPage } from "#shared/folder.ts";
import { buildTree } from "./folder-tree.ts";

/** The user's folders. `tree` is null until they are loaded. */
export function useFolderTree() {
  const query = api.folders.list.useQuery(undefined, { refetchOnWindowFocus: "always" });
  const { data } = query;
  const tree = useMemo(() => (data ? buildTree(data) : null), [data]);
  return { query, tree };
}

/** The folders whose names contain `name`, page by page, and the lecture counts. */
export function chipPagesQuery(name = "") {
  const input = name === "" ? {} : { name };
  return infiniteQueryOptions({
    queryKey: getQueryKey(api.folders.chips, input, "infinite"),
    queryFn: ({ pageParam, signal }) =>
      trpc.folders.chips.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The folders of `pages` in order, without duplicates: a rename may have moved one between two pages. */
export const listChips = (pages: readonly FolderPage[]): FolderPage["folders"] => [
  ...new Map(pages.flatMap(({ folders }) => folders).map((one) => [one.id, one])).values(),
];

/** Names and counts of folders from the cached filter chips and tree, without a request. */
export function useCachedFolders() {
  const { data: tree } = api.folders.list.useQuery(undefined, { enabled: false });
  const { data: chips } = useInfiniteQuery({ ...chipPagesQuery(), enabled: false });
  const folders = useMemo(
    () =>
      new Map(
        // Chips override the tree: they are more up to date.
        [...(tree?.folders ?? []), ...listChips(chips?.pages ?? [])].map((one) => [one.id, one]),
      ),
    [chips, tree],
  );
  const counts = chips?.pages[0] ?? tree;
  return {
    getName: useCallback(
      (id: string | null) => (id === null ? null : (folders.get(id)?.name ?? null)),
      [folders],
    ),
    /** Lectures in folder `id`; null: in no folder; undefined: all lectures. Returns null if unknown. */
    getLectureCount(id: string | null | undefined): number | null {
      if (typeof id === "string") return folders.get(id)?.lectures ?? null;
      return (id === null ? counts?.uncategorized : counts?.total) ?? null;
    },
  };
}
