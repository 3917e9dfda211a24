import { useCallback, useMemo } from "react";
import { api } from "../../../lib/queries.tsx";
import { chipsOf } from "./chips.ts";

/**
 * The names of folders as far as they are known without asking: from the filter chips, and from the
 * tree where another page has read it.
 */
export function useFolderNames(): (folderId: string | null) => string | null {
  const { data: tree } = api.folders.list.useQuery(undefined, { enabled: false });
  const { data: chips } = api.folders.chips.useInfiniteQuery(
    {},
    { enabled: false, getNextPageParam: (page) => page.nextCursor },
  );
  const names = useMemo(
    () =>
      new Map(
        [...chipsOf(chips?.pages ?? []), ...(tree?.folders ?? [])].map(({ id, name }) => [
          id,
          name,
        ]),
      ),
    [chips, tree],
  );
  return useCallback((id) => (id === null ? null : (names.get(id) ?? null)), [names]);
}
