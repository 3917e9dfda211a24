import { api } from "#client/state/queries.tsx";

/** The plans that are sold. They do not change while a page is open. */
export const usePlans = () =>
  api.subscriptions.plans.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
