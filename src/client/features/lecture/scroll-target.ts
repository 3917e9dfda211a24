import { useMemo } from "react";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { api } from "#client/state/queries.tsx";
import type { SearchHit } from "#shared/search.ts";

/** Where in an opened lecture to land. `hit` is null where the search finds nothing, or has not answered yet. */
export interface ScrollTarget {
  place: { at: "row"; row: number } | { at: "text" } | { at: "summary" };
  hit: SearchHit | null;
  isLoading: boolean;
}

/** Where the address says to land, with what its search finds in the lecture; null: at the top. */
export function useScrollTarget(
  lectureId: string,
  { row, part, q = "" }: HomeSearch,
): ScrollTarget | null {
  const query = q.trim();
  const { data, isLoading } = api.lectures.search.useQuery(
    { query, lectureId },
    {
      enabled: query !== "" && (row !== undefined || part !== undefined),
      // The next visit asks again: the lecture may have changed.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const hit = data?.results[0]?.hit ?? null;
  return useMemo(() => {
    const place = row !== undefined ? { at: "row" as const, row } : part && { at: part };
    return place ? { place, hit, isLoading } : null;
  }, [row, part, hit, isLoading]);
}
