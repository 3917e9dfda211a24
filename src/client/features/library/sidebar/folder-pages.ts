import { type InfiniteData, InfiniteQueryObserver } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { LecturePage } from "#client/state/library/lecture-pages.ts";
import { lecturePages } from "#client/state/library/use-lectures.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { Loaded } from "./tree-rows.ts";

type Place = string | null;

interface Result {
  data: InfiniteData<LecturePage> | undefined;
  isError: boolean;
  isFetching: boolean;
  hasNextPage: boolean;
}

export function loadedOf({ data, isError, isFetching, hasNextPage }: Result): Loaded {
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (data && !hasNextPage) return { items, rest: "none" };
  if (isFetching) return { items, rest: "loading" };
  return { items, rest: isError ? "failed" : "more" };
}

const observe = (folderId: Place) =>
  new InfiniteQueryObserver(queryClient, lecturePages({ folderId }));

type Observer = ReturnType<typeof observe>;

/** Lectures of any number of places at once: of those that were asked for. */
class FolderPages {
  readonly #watched = new Map<Place, { observer: Observer; leave: () => void }>();
  readonly #asked = new Set<Place>();
  readonly #listeners = new Set<() => void>();
  #loaded: ReadonlyMap<Place, Loaded> = new Map();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly get = () => this.#loaded;

  readonly more = (place: Place): void => {
    const watched = this.#watched.get(place);
    if (!watched) {
      this.#asked.add(place);
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
  readonly follow = (open: (place: Place) => boolean): void => {
    for (const [place, { leave }] of this.#watched) {
      if (open(place)) continue;
      leave();
      this.#watched.delete(place);
    }
    for (const place of this.#asked)
      if (open(place) && !this.#watched.has(place)) this.#watch(place);
    this.#publish();
  };

  #watch(place: Place): void {
    const observer = observe(place);
    this.#watched.set(place, { observer, leave: observer.subscribe(() => this.#publish(place)) });
  }

  #publish(changed?: Place): void {
    const next = new Map<Place, Loaded>();
    for (const [place, { observer }] of this.#watched) {
      const before = this.#loaded.get(place);
      const keep = changed !== undefined && changed !== place && before;
      next.set(place, keep || loadedOf(observer.getCurrentResult()));
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
export function useFolderPages(open: (place: Place) => boolean) {
  const [pages] = useState(() => new FolderPages());
  const loaded = useSyncExternalStore(pages.subscribe, pages.get);
  useEffect(() => pages.follow(open), [pages, open]);
  useEffect(() => pages.stop, [pages]);
  return { loaded, more: pages.more };
}
