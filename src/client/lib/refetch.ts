import type { QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";

/**
 * Refetches the queries under `queryKey` after their data has changed. A first response that is still in
 * flight is older than the change and would be cached as new: its request is cancelled first.
 */
export async function refetchQueries(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const withData: QueryFilters = { queryKey, predicate: ({ state }) => state.data !== undefined };
  const withoutData: QueryFilters = {
    queryKey,
    predicate: ({ state }) => state.data === undefined,
  };
  const refetching = queries.invalidateQueries(withData);
  await queries.cancelQueries(withoutData);
  await Promise.all([refetching, queries.invalidateQueries(withoutData)]);
}
