import { useMemo } from "react";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { api } from "#client/state/queries.tsx";
import type { SearchHit } from "#shared/search.ts";

/** Where to scroll in the open lecture. `hit` is null until the search has answered, and if it finds nothing. */
export interface ScrollTarget {
  place: { type: "row"; row: number } | { type: "text" | "summary" };
  hit: SearchHit | null;
  isLoading: boolean;
}

/** The scroll target in the URL, with the hit of its search query in the lecture; null: the top. */
export function useScrollTarget(
  lectureId: string,
  { row, part, q = "" }: HomeSearch,
): ScrollTarget | null {
  const query = q.trim();
  const { data, isLoading } = api.lectures.search.useQuery(
    { query, lectureId },
    {
      enabled: query !== "" && (row !== undefined || part !== undefined),
      // Not cached: the lecture may have changed at the next visit.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const hit = data?.results[0]?.hit ?? null;
  return useMemo(() => {
    const place = row !== undefined ? { type: "row" as const, row } : part && { type: part };
    return place ? { place, hit, isLoading } : null;
  }, [row, part, hit, isLoading]);
}
