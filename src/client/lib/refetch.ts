import type { QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";

/**
 * Asks anew for what begins with `queryKey`, after something of it has changed. A first answer that is still
 * on its way is older than the change, and would pass for a new one: it is called off.
 */
export async function refetchQueries(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const answered: QueryFilters = { queryKey, predicate: ({ state }) => state.data !== undefined };
  const unanswered: QueryFilters = { queryKey, predicate: ({ state }) => state.data === undefined };
  const again = queries.invalidateQueries(answered);
  await queries.cancelQueries(unanswered);
  await Promise.all([again, queries.invalidateQueries(unanswered)]);
}
