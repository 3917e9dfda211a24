import { useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { api } from "#client/state/queries.tsx";
import type { Share } from "#shared/share.ts";

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

/** Shows `share` at once, instead of an answer on its way. */
export function useShowShare() {
  const { get } = api.useUtils().shares;
  return async (lectureId: string, share: Share | null): Promise<void> => {
    await get.cancel({ lectureId });
    get.setData({ lectureId }, share);
  };
}

/** Makes one call at a time about a share. `failure`: why the last one failed. */
export function useAttempt(onNotFound?: () => Promise<void>) {
  const [busy, run] = useBusy();
  const [failure, setFailure] = useState<string | null>(null);
  /** Resolves to whether `call` has succeeded. */
  const attempt = (call: () => Promise<void>) =>
    run(async () => {
      setFailure(null);
      try {
        await call();
        return true;
      } catch (error) {
        const { code } = toApiError(error);
        if (code === "not_found" && onNotFound) await onNotFound();
        // An expired session is reported elsewhere.
        else if (code !== "unauthenticated") setFailure(getErrorMessage(error));
        return false;
      }
    });
  return { busy, failure, attempt };
}
