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
