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
  readonly #observers = new Map<FolderId, ReturnType<typeof createObserver>>();
  readonly #requested = new Set<FolderId>();
  readonly loaded = new Signal<ReadonlyMap<FolderId, LoadedLectures>>(new Map());

  readonly loadMore = (folderId: FolderId): void => {
    const observer = this.#observers.get(folderId);
    if (observer) {
      loadNextLectures(observer.getCurrentResult());
      return;
    }
    this.#requested.add(folderId);
    this.#watch(folderId);
    this.#publish();
  };

  /** Leaves collapsed folders, and returns to expanded ones: they show cached lectures and refetch. */
  readonly watchExpanded = (isExpanded: (folderId: FolderId) => boolean): void => {
    for (const folderId of this.#requested) {
      if (isExpanded(folderId)) this.#watch(folderId);
      else this.#leave(folderId);
    }
    this.#publish();
  };

  #watch(folderId: FolderId): void {
    if (this.#observers.has(folderId)) return;
    const observer = createObserver(folderId);
    this.#observers.set(folderId, observer);
    observer.subscribe(() => this.#publish());
  }

  #leave(folderId: FolderId): void {
    this.#observers.get(folderId)?.destroy();
    this.#observers.delete(folderId);
  }

  #publish(): void {
    const results = [...this.#observers].map(
      ([folderId, observer]) => [folderId, toLoadedLectures(observer.getCurrentResult())] as const,
    );
    this.loaded.set(new Map(results));
  }

  readonly stop = (): void => {
    for (const folderId of this.#requested) this.#leave(folderId);
  };
}

/** The loaded lectures of expanded folders, and a function that loads more. */
export function useFolderPages(isExpanded: (folderId: FolderId) => boolean) {
  const [pages] = useState(() => new FolderPages());
  useEffect(() => pages.watchExpanded(isExpanded), [pages, isExpanded]);
  useEffect(() => pages.stop, [pages]);
  return { loaded: useValue(pages.loaded), loadMore: pages.loadMore };
}
