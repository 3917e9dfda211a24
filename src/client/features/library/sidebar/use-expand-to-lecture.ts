import { useEffect, useRef } from "react";
import { LibraryCache, queryKeys } from "#client/state/library/cache.ts";
import { type FolderTree, getPath } from "#client/state/library/folder-tree.ts";
import { libraryServer } from "#client/state/library/library-server.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { LectureListItem } from "#shared/lecture.ts";
import { pruneExpanded, setExpanded } from "./expanded-folders.ts";
import { uncategorizedId } from "./tree-rows.ts";

const cache = new LibraryCache(queryClient);

/** Where a lecture lies; null where nobody knows. Asked once: a list that shows it keeps it up to date. */
const fetchFolderId = (id: string): Promise<Pick<LectureListItem, "folderId"> | null> => {
  const known = cache.getLecture(id);
  if (known) return Promise.resolve(known);
  return queryClient
    .fetchQuery({
      queryKey: queryKeys.item(id),
      queryFn: () => libraryServer.item(id),
      staleTime: 60_000,
    })
    .catch(() => null);
};

/** Opens the folders that lead to the lecture that was just opened. Whoever closes them afterwards is left in peace. */
export function useExpandToLecture(openId: string | null, tree: FolderTree | null): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (tree) pruneExpanded(tree.byId);
    if (openId === null) shown.current = null;
    if (!tree || openId === null || shown.current === openId) return;
    let left = false;
    void fetchFolderId(openId).then((lecture) => {
      if (left || !lecture) return;
      shown.current = openId;
      const { folderId } = lecture;
      const ids =
        folderId === null ? [uncategorizedId] : getPath(tree, folderId).map(({ id }) => id);
      setExpanded(ids, true);
    });
    return () => {
      left = true;
    };
  }, [openId, tree]);
}
