import { type InfiniteData, InfiniteQueryObserver } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { LecturePage } from "#client/state/library/lecture-pages.ts";
import { lecturePagesQuery } from "#client/state/library/use-lectures.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { LoadedLectures } from "./tree-rows.ts";

type FolderId = string | null;

interface Result {
  data: InfiniteData<LecturePage> | undefined;
  isError: boolean;
  isFetching: boolean;
  hasNextPage: boolean;
}

export function toLoadedLectures({
  data,
  isError,
  isFetching,
  hasNextPage,
}: Result): LoadedLectures {
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (data && !hasNextPage) return { items, remaining: "none" };
  if (isFetching) return { items, remaining: "loading" };
  return { items, remaining: isError ? "failed" : "more" };
}

const observe = (folderId: FolderId) =>
  new InfiniteQueryObserver(queryClient, lecturePagesQuery({ folderId }));

type Observer = ReturnType<typeof observe>;

/** Lectures of any number of places at once: of those that were asked for. */
class FolderPages {
  readonly #watched = new Map<FolderId, { observer: Observer; leave: () => void }>();
  readonly #requested = new Set<FolderId>();
  readonly #listeners = new Set<() => void>();
  #loaded: ReadonlyMap<FolderId, LoadedLectures> = new Map();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly get = () => this.#loaded;

  readonly loadMore = (place: FolderId): void => {
    const watched = this.#watched.get(place);
    if (!watched) {
      this.#requested.add(place);
      this.#watch(place);
      this.#publish();
      return;
    }
    const { data, hasNextPage, isFetching } = watched.observer.getCurrentResult();
    if (isFetching) return;
    if (data && hasNextPage) void watched.observer.fetchNextPage();
    else if (!data) void watched.observer.refetch();
  };

  /** Places that are closed are not kept up to date; opened again, they are shown as they were and asked anew. */
  readonly watchExpanded = (open: (place: FolderId) => boolean): void => {
    for (const [place, { leave }] of this.#watched) {
      if (open(place)) continue;
      leave();
      this.#watched.delete(place);
    }
    for (const place of this.#requested)
      if (open(place) && !this.#watched.has(place)) this.#watch(place);
    this.#publish();
  };

  #watch(place: FolderId): void {
    const observer = observe(place);
    this.#watched.set(place, { observer, leave: observer.subscribe(() => this.#publish(place)) });
  }

  #publish(changed?: FolderId): void {
    const next = new Map<FolderId, LoadedLectures>();
    for (const [place, { observer }] of this.#watched) {
      const before = this.#loaded.get(place);
      const keep = changed !== undefined && changed !== place && before;
      next.set(place, keep || toLoadedLectures(observer.getCurrentResult()));
    }
    this.#loaded = next;
    for (const listener of this.#listeners) listener();
  }

  readonly stop = (): void => {
    for (const { leave } of this.#watched.values()) leave();
    this.#watched.clear();
  };
}

/** What is loaded of the places that are `open` and were asked for, and the way to ask for more. */
export function useFolderPages(open: (place: FolderId) => boolean) {
  const [pages] = useState(() => new FolderPages());
  const loaded = useSyncExternalStore(pages.subscribe, pages.get);
  useEffect(() => pages.watchExpanded(open), [pages, open]);
  useEffect(() => pages.stop, [pages]);
  return { loaded, more: pages.loadMore };
}
