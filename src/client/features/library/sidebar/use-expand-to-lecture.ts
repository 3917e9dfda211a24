import { useEffect, useRef } from "react";
import { keys, LibraryCache } from "#client/state/library/cache.ts";
import { type FolderTree, pathTo } from "#client/state/library/folder-tree.ts";
import { libraryServer } from "#client/state/library/library-server.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { LectureListItem } from "#shared/lecture.ts";
import { keepOpen, setOpen } from "./expanded-folders.ts";
import { looseId } from "./tree-rows.ts";

const cache = new LibraryCache(queryClient);

/** Where a lecture lies; null where nobody knows. Asked once: a list that shows it keeps it up to date. */
const placeOf = (id: string): Promise<Pick<LectureListItem, "folderId"> | null> => {
  const known = cache.lecture(id);
  if (known) return Promise.resolve(known);
  return queryClient
    .fetchQuery({
      queryKey: keys.item(id),
      queryFn: () => libraryServer.item(id),
      staleTime: 60_000,
    })
    .catch(() => null);
};

/** Opens the folders that lead to the lecture that was just opened. Whoever closes them afterwards is left in peace. */
export function useOpenPlace(openId: string | null, tree: FolderTree | null): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (tree) keepOpen(tree.byId);
    if (openId === null) shown.current = null;
    if (!tree || openId === null || shown.current === openId) return;
    let left = false;
    void placeOf(openId).then((lecture) => {
      if (left || !lecture) return;
      shown.current = openId;
      const { folderId } = lecture;
      const ids = folderId === null ? [looseId] : pathTo(tree, folderId).map(({ id }) => id);
      setOpen(ids, true);
    });
    return () => {
      left = true;
    };
  }, [openId, tree]);
}
