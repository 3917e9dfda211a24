import { useCallback, useMemo } from "react";
import { api } from "#client/state/queries.tsx";
import { listChips } from "./folder-lists.ts";

/** What is known of folders without asking, from the filter chips and from a tree that was read. */
export function useCachedFolders() {
  const { data: tree } = api.folders.list.useQuery(undefined, { enabled: false });
  const { data: chips } = api.folders.chips.useInfiniteQuery(
    {},
    { enabled: false, getNextPageParam: (page) => page.nextCursor },
  );
  const folders = useMemo(
    () =>
      new Map(
        // The chips are kept up to date here, the tree is as it was read.
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
    /** How many lectures are in a folder; null: in none; undefined: in all. Null where it is not known. */
    getLectureCount(id: string | null | undefined): number | null {
      if (typeof id === "string") return folders.get(id)?.lectures ?? null;
      return (id === null ? counts?.uncategorized : counts?.total) ?? null;
    },
  };
}
