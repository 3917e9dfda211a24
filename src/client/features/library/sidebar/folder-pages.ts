import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverResult,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Signal, useValue } from "#client/lib/signal.ts";
import type { LecturePage } from "#client/state/library/lecture-pages.ts";
import { lecturePagesQuery } from "#client/state/library/use-lectures.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { LoadedLectures } from "./tree-rows.ts";

type FolderId = string | null;

type LecturesQuery = InfiniteQueryObserverResult<InfiniteData<LecturePage>>;
type LecturesResult = Pick<LecturesQuery, "data" | "isError" | "isFetching" | "hasNextPage">;

export function toLoadedLectures(result: LecturesResult): LoadedLectures {
  const { data, isError, isFetching, hasNextPage } = result;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (data && !hasNextPage) return { items, remaining: "none" };
  if (isFetching) return { items, remaining: "loading" };
  return { items, remaining: isError ? "failed" : "more" };
}

/** Loads the next page of a list, or again the first one, if that failed. */
export function loadNextLectures(query: LecturesQuery): void {
  if (query.isFetching) return;
  if (!query.data) void query.refetch();
  else if (query.hasNextPage) void query.fetchNextPage();
}

const observe = (folderId: FolderId) =>
  new InfiniteQueryObserver(queryClient, lecturePagesQuery({ folderId }));

type Observer = ReturnType<typeof observe>;

/**
 * Loads the lectures of several folders (null: of no folder), each on its first `loadMore`. Owns a query observer per
 * expanded folder.
 */
class FolderPages {
  readonly #observers = new Map<FolderId, { observer: Observer; unsubscribe: () => void }>();
  readonly #requested = new Set<FolderId>();
  readonly loaded = new Signal<ReadonlyMap<FolderId, LoadedLectures>>(new Map());

  readonly loadMore = (folderId: FolderId): void => {
    const watched = this.#observers.get(folderId);
    if (!watched) {
      this.#requested.add(folderId);
      this.#watch(folderId);
      this.#publish();
      return;
    }
    loadNextLectures(watched.observer.getCurrentResult());
  };

  /** Unsubscribes from collapsed folders, and resubscribes to expanded ones: they show cached lectures and refetch. */
  readonly watchExpanded = (isExpanded: (folderId: FolderId) => boolean): void => {
    for (const [folderId, { unsubscribe }] of this.#observers) {
      if (isExpanded(folderId)) continue;
      unsubscribe();
      this.#observers.delete(folderId);
    }
    for (const folderId of this.#requested)
      if (isExpanded(folderId) && !this.#observers.has(folderId)) this.#watch(folderId);
    this.#publish();
  };

  #watch(folderId: FolderId): void {
    const observer = observe(folderId);
    this.#observers.set(folderId, {
      observer,
      unsubscribe: observer.subscribe(() => this.#publish(folderId)),
    });
  }

  #publish(changed?: FolderId): void {
    const next = new Map<FolderId, LoadedLectures>();
    for (const [folderId, { observer }] of this.#observers) {
      const before = this.loaded.get().get(folderId);
      const unchanged = changed !== undefined && changed !== folderId && before;
      next.set(folderId, unchanged || toLoadedLectures(observer.getCurrentResult()));
    }
    this.loaded.set(next);
  }

  readonly stop = (): void => {
    for (const { unsubscribe } of this.#observers.values()) unsubscribe();
    this.#observers.clear();
  };
}

/** The loaded lectures of expanded folders, and a function that loads more. */
export function useFolderPages(isExpanded: (folderId: FolderId) => boolean) {
  const [pages] = useState(() => new FolderPages());
  useEffect(() => pages.watchExpanded(isExpanded), [pages, isExpanded]);
  useEffect(() => pages.stop, [pages]);
  return { loaded: useValue(pages.loaded), loadMore: pages.loadMore };
}
