import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverResult,
} from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import type { LecturePage } from "#client/state/library/lecture-pages.ts";
import { lecturePagesQuery, useLectures } from "#client/state/library/use-lectures.ts";
import { queryClient } from "#client/state/queries.tsx";
import { expandedFolders, setExpanded as setStoredExpanded } from "./expanded-folders.ts";
import {
  buildTreeRows,
  type LoadedLectures,
  type MoreRow,
  type Row,
  type TreeRowsInput,
  uncategorizedId,
} from "./tree-rows.ts";

type FolderId = string | null;

type LecturesQuery = InfiniteQueryObserverResult<InfiniteData<LecturePage>>;
type LecturesResult = Pick<LecturesQuery, "data" | "isError" | "isFetching" | "hasNextPage">;

function toLoadedLectures(result: LecturesResult): LoadedLectures {
  const { data, isError, isFetching, hasNextPage } = result;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (data && !hasNextPage) return { items, remaining: "none" };
  if (isFetching) return { items, remaining: "loading" };
  return { items, remaining: isError ? "failed" : "more" };
}

/** Loads the next page of a list, or again the first one, if that failed. */
function loadNextLectures(query: LecturesQuery): void {
  if (query.isFetching) return;
  if (!query.data) void query.refetch();
  else if (query.hasNextPage) void query.fetchNextPage();
}

const createObserver = (folderId: FolderId) =>
  new InfiniteQueryObserver(queryClient, lecturePagesQuery({ folderId }));

/** Loads the lectures of expanded folders (null: of no folder), each on its first `loadMore`. */
class FolderPages {
  /** Of the folders that were requested; null: collapsed now. */
  readonly #observers = new Map<FolderId, ReturnType<typeof createObserver> | null>();
  readonly loaded = new Signal<ReadonlyMap<FolderId, LoadedLectures>>(new Map());

  readonly loadMore = (folderId: FolderId): void => {
    const observer = this.#observers.get(folderId);
    if (observer) loadNextLectures(observer.getCurrentResult());
    else this.#watch(folderId);
  };

  /** Leaves collapsed folders, and returns to expanded ones: they show cached lectures and refetch. */
  readonly watchExpanded = (isExpanded: (folderId: FolderId) => boolean): void => {
    for (const [folderId, observer] of this.#observers) {
      if (!isExpanded(folderId)) this.#leave(folderId);
      else if (!observer) this.#watch(folderId);
    }
    this.#publish();
  };

  readonly stop = (): void => {
    for (const folderId of this.#observers.keys()) this.#leave(folderId);
  };

  #watch(folderId: FolderId): void {
    const observer = createObserver(folderId);
    this.#observers.set(folderId, observer);
    observer.subscribe(() => this.#publish());
    this.#publish();
  }

  #leave(folderId: FolderId): void {
    this.#observers.get(folderId)?.destroy();
    this.#observers.set(folderId, null);
  }

  #publish(): void {
    const loaded = new Map<FolderId, LoadedLectures>();
    for (const [folderId, observer] of this.#observers)
      if (observer) loaded.set(folderId, toLoadedLectures(observer.getCurrentResult()));
    this.loaded.set(loaded);
  }
}

/** The loaded lectures of expanded folders, and a function that loads more. */
export function useFolderPages(isExpanded: (folderId: FolderId) => boolean) {
  const [pages] = useState(() => new FolderPages());
  useEffect(() => pages.watchExpanded(isExpanded), [pages, isExpanded]);
  useEffect(() => pages.stop, [pages]);
  return { loaded: useValue(pages.loaded), loadMore: pages.loadMore };
}

const noLectures: LoadedLectures = { items: [], remaining: "none" };

const none: ReadonlySet<string> = new Set();

/** Adds each of `ids` that is missing and removes each that is there. */
function toggleAll(set: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const next = new Set(set);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

export function useTreeRows(
  tree: FolderTree,
  query: string,
  { draft, foldersOnly }: Required<Pick<TreeRowsInput, "draft" | "foldersOnly">>,
) {
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
  const search = useLectures({ title: query, enabled: isSearching && !foldersOnly });
  const { data, isError, isFetching, hasNextPage } = search.query;

  const language = useLanguage();
  const { loaded } = pages;
  const found = useMemo(
    () => (foldersOnly ? noLectures : toLoadedLectures({ data, isError, isFetching, hasNextPage })),
    [foldersOnly, data, isError, isFetching, hasNextPage],
  );
  const rows = useMemo((): readonly Row[] => {
    const getLoaded = (folderId: string | null) => loaded.get(folderId) ?? null;
    const titleSearch = isSearching ? { query, found } : null;
    return buildTreeRows({
      tree,
      expanded,
      getLoaded,
      draft,
      search: titleSearch,
      foldersOnly,
      language,
    });
  }, [tree, expanded, loaded, draft, isSearching, query, found, foldersOnly, language]);

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
