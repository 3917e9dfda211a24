import { getQueryKey } from "@trpc/react-query";
import { refetchQueries } from "#client/lib/refetch.ts";
import type { AllowanceUsage } from "#client/realtime/types.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import {
  checkSubscription,
  getCachedSubscription,
  refreshSubscription,
} from "#client/state/subscription.ts";

/** The user's month as it was heard last; null before that. */
export function getCachedAllowance(): AllowanceUsage | null {
  const info = getCachedSubscription();
  if (!info) return null;
  return { usedSeconds: info.timeUsedThisMonth, limitSeconds: info.hourLimit * 3_600 };
}

/** The user's month as it is now; null where the server does not say. */
export async function fetchAllowance(): Promise<AllowanceUsage | null> {
  await checkSubscription();
  return getCachedAllowance();
}

/** A recording has changed lectures, the folders' counts and what is left of the month. */
export function refreshAfterRecording(): void {
  void refetchQueries(queryClient, getQueryKey(api.lectures));
  void refetchQueries(queryClient, getQueryKey(api.folders));
  void refreshSubscription();
}
