import { useCallback, useMemo, useState } from "react";
import { useValue } from "#client/lib/signal.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { expandedFolders, setExpanded as setStoredExpanded } from "./expanded-folders.ts";
import { loadNextLectures, toLoadedLectures, useFolderPages } from "./folder-pages.ts";
import {
  buildSearchRows,
  buildTreeRows,
  type MoreRow,
  type Row,
  type TreeRowsInput,
  uncategorizedId,
} from "./tree-rows.ts";

const none: ReadonlySet<string> = new Set();

/** Adds each of `ids` that is missing and removes each that is there. */
function toggleAll(set: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const next = new Set(set);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

export function useTreeRows(tree: FolderTree, query: string, draft: TreeRowsInput["draft"]) {
  const isSearching = query !== "";
  const stored = useValue(expandedFolders);
  const [toggled, setToggled] = useState({ query, ids: none });
  // Each search starts with its default expansion.
  if (toggled.query !== query) setToggled({ query, ids: none });
  const expanded = isSearching ? toggled.ids : stored;
  const isExpanded = useCallback(
    (folderId: string | null) => expanded.has(folderId ?? uncategorizedId),
    [expanded],
  );
  const pages = useFolderPages(isExpanded);
  const search = useLectures({ title: query, enabled: isSearching });
  const { data, isError, isFetching, hasNextPage } = search.query;

  const { loaded } = pages;
  const rows = useMemo((): readonly Row[] => {
    const getLoaded = (folderId: string | null) => loaded.get(folderId) ?? null;
    const input = { tree, expanded, getLoaded, draft };
    if (!isSearching) return buildTreeRows(input);
    const found = toLoadedLectures({ data, isError, isFetching, hasNextPage });
    return buildSearchRows({ ...input, query, found });
  }, [tree, expanded, loaded, draft, isSearching, query, data, isError, isFetching, hasNextPage]);

  return {
    rows,
    /** Number of lectures that the search found; null before its answer and without a search. */
    foundCount: isSearching && data ? search.total : null,
    setExpanded(ids: readonly string[], expand: boolean): void {
      // A search expands folders with results and collapses others: a toggle inverts that default.
      if (isSearching) setToggled((now) => ({ ...now, ids: toggleAll(now.ids, ids) }));
      else setStoredExpanded(ids, expand);
    },
    loadMore(row: MoreRow): void {
      if (row.source === "found") loadNextLectures(search.query);
      else pages.loadMore(row.source);
    },
  };
}

export type TreeRows = ReturnType<typeof useTreeRows>;
