import { useCallback, useMemo } from "react";
import { api } from "#client/state/queries.tsx";
import type { FolderPage } from "#shared/folder.ts";
import { buildTree } from "./folder-tree.ts";

/** The user's folders. `tree` is null until they are loaded. */
export function useFolderTree() {
  const query = api.folders.list.useQuery(undefined, { refetchOnWindowFocus: "always" });
  const { data } = query;
  const tree = useMemo(() => (data ? buildTree(data) : null), [data]);
  return { query, tree };
}

/** The folders of `pages` in order, without duplicates: a rename may have moved one between two pages. */
export const listChips = (pages: readonly FolderPage[]): FolderPage["folders"] => [
  ...new Map(pages.flatMap(({ folders }) => folders).map((one) => [one.id, one])).values(),
];

/** Names and counts of folders from the cached filter chips and tree, without a request. */
export function useCachedFolders() {
  const { data: tree } = api.folders.list.useQuery(undefined, { enabled: false });
  const { data: chips } = api.folders.chips.useInfiniteQuery(
    {},
    { enabled: false, getNextPageParam: (page) => page.nextCursor },
  );
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
