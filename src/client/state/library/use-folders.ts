import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { trpc } from "#client/state/trpc.ts";
import { queryKeys } from "./cache.ts";
import { buildTree } from "./folder-tree.ts";
import { compareNewestFirst } from "./lecture-pages.ts";

export const foldersQuery = queryOptions({
  queryKey: queryKeys.tree,
  queryFn: ({ signal }) => trpc.folders.list.query(undefined, { signal }),
});

/** The user's folders, by name or the newest first. `tree` is null until they are loaded. */
export function useFolderTree(order: "name" | "newest" = "name") {
  const query = useQuery({ ...foldersQuery, refetchOnWindowFocus: "always" });
  const { data } = query;
  const tree = useMemo(
    () => (data ? buildTree(data, order === "newest" ? compareNewestFirst : undefined) : null),
    [data, order],
  );
  return { query, tree };
}

/** Names and counts of folders from the cached tree, without a request. */
export function useCachedFolders() {
  const { data: list } = useQuery({ ...foldersQuery, enabled: false });
  const folders = useMemo(() => new Map((list?.folders ?? []).map((one) => [one.id, one])), [list]);
  return {
    getName: useCallback(
      (id: string | null) => (id === null ? null : (folders.get(id)?.name ?? null)),
      [folders],
    ),
    /** Lectures in folder `id`; null: in no folder; undefined: all lectures. Returns null if unknown. */
    getLectureCount(id: string | null | undefined): number | null {
      if (typeof id === "string") return folders.get(id)?.lectures ?? null;
      return (id === null ? list?.uncategorized : list?.total) ?? null;
    },
  };
}
