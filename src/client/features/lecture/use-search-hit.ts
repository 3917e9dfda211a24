import { useEffect } from "react";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { searchTarget } from "#client/reading/search-target.ts";
import { api } from "#client/state/queries.tsx";

/** Shows the place in the address, with what the search of the address finds there. */
export function useSearchHit(lectureId: string, { row, part, q = "" }: HomeSearch): void {
  const query = q.trim();
  const { data } = api.lectures.search.useQuery(
    { query, lectureId },
    {
      enabled: query !== "" && (row !== undefined || part !== undefined),
      // Not cached: the lecture may have changed at the next visit.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const hit = data?.results[0]?.hit ?? null;
  useEffect(() => {
    const place = row !== undefined ? { type: "row" as const, row } : part && { type: part };
    searchTarget.set(place ? { place, hit } : null);
    return () => searchTarget.set(null);
  }, [row, part, hit]);
}
