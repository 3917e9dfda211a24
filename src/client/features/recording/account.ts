import { getQueryKey } from "@trpc/react-query";
import { askAgain } from "#client/lib/refetch.ts";
import type { AllowanceUsage } from "#client/realtime/types.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import {
  checkSubscription,
  knownSubscription,
  subscriptionChanged,
} from "#client/state/subscription.ts";

/** The user's month as it was heard last; null before that. */
export function knownAllowance(): AllowanceUsage | null {
  const info = knownSubscription();
  if (!info) return null;
  return { usedSeconds: info.timeUsedThisMonth, limitSeconds: info.hourLimit * 3_600 };
}

/** The user's month as it is now; null where the server does not say. */
export async function askAllowance(): Promise<AllowanceUsage | null> {
  await checkSubscription();
  return knownAllowance();
}

/** A recording has changed lectures, the folders' counts and what is left of the month. */
export function recordingChanged(): void {
  void askAgain(queryClient, getQueryKey(api.lectures));
  void askAgain(queryClient, getQueryKey(api.folders));
  void subscriptionChanged();
}
