import { api } from "#client/state/queries.tsx";

/** How often the readers of a shared lecture are counted while its page is visible. */
const countMs = 10_000;
/** The same while the share dialog is open. */
const watchedCountMs = 2_500;

/** Counts readers from time to time, or only shows what another component has fetched. */
type Counting = "watched" | "seldom" | "never";

/** The active share of a lecture; null in `data` without one. Asks nothing without a lecture. */
export function useShare(lectureId: string | null, counting: Counting) {
  const intervalMs = counting === "watched" ? watchedCountMs : countMs;
  return api.shares.get.useQuery(
    { lectureId: lectureId ?? "" },
    {
      enabled: lectureId !== null,
      refetchInterval: ({ state }) => (counting !== "never" && state.data ? intervalMs : false),
    },
  );
}

/** Shows `share` at once, or what it makes of the shown one, instead of an answer on its way. */
export function useShowShare() {
  const { get } = api.useUtils().shares;
  return async (lectureId: string, share: Parameters<typeof get.setData>[1]): Promise<void> => {
    await get.cancel({ lectureId });
    get.setData({ lectureId }, share);
  };
}
