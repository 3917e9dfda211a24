import { useCallback, useMemo, useState } from "react";
import { useValue } from "#client/lib/signal.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { openFolders, setOpen } from "./expanded-folders.ts";
import { loadedOf, useFolderPages } from "./folder-pages.ts";
import { looseId, type MoreRow, type Row, searchRows, treeRows } from "./tree-rows.ts";

const none: ReadonlySet<string> = new Set();

/** With each of `ids` in it that was not, and without each that was. */
function flipped(set: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const next = new Set(set);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

export function useRows(
  tree: FolderTree,
  query: string,
  draft: { parentId: string | null } | null,
) {
  const searching = query !== "";
  const remembered = useValue(openFolders);
  const [toggled, setToggled] = useState({ query, ids: none });
  // Each search begins with what it found.
  if (toggled.query !== query) setToggled({ query, ids: none });
  const open = searching ? toggled.ids : remembered;
  const isOpen = useCallback((place: string | null) => open.has(place ?? looseId), [open]);
  const pages = useFolderPages(isOpen);
  const search = useLectures({ title: query, enabled: searching });
  const { data, isError, isFetching, hasNextPage } = search.query;

  const { loaded } = pages;
  const rows = useMemo((): readonly Row[] => {
    const view = { tree, open, loaded: (id: string | null) => loaded.get(id) ?? null, draft };
    if (!searching) return treeRows(view);
    const found = loadedOf({ data, isError, isFetching, hasNextPage });
    return searchRows({ ...view, query, found, toggled: open });
  }, [tree, open, loaded, draft, searching, query, data, isError, isFetching, hasNextPage]);

  return {
    rows,
    /** Lectures that the search has found; null before its answer, and without one. */
    found: searching && data ? search.total : null,
    setOpen: useCallback(
      (ids: readonly string[], opened: boolean) => {
        // A search opens what holds something and closes the rest: a choice is the other of the two.
        if (searching) setToggled((now) => ({ ...now, ids: flipped(now.ids, ids) }));
        else setOpen(ids, opened);
      },
      [searching],
    ),
    more(row: MoreRow): void {
      if (row.of !== "found") pages.more(row.of);
      else if (isFetching) return;
      else if (data) void search.query.fetchNextPage();
      else void search.query.refetch();
    },
  };
}

export type TreeRows = ReturnType<typeof useRows>;
