/** What this tab does around its recording session; one file, loaded after the first paint. */
import { getQueryKey } from "@trpc/react-query";
import type { AllowanceUsage } from "#client/recorder/allowance.ts";
import { api, refetchQueries } from "#client/state/queries.tsx";
import "#client/state/recording-title.ts";
import {
  checkSubscription,
  getCachedSubscription,
  refreshSubscription,
} from "#client/state/subscription.ts";
import { getLimitSeconds } from "#shared/plans.ts";
import "./captions/caption-control.ts";

export { keepModelReady } from "#client/state/ready-model.ts";
export { notify } from "./show-notice.ts";

/** This month's usage as last fetched; null before that. */
export function getCachedAllowance(): AllowanceUsage | null {
  const info = getCachedSubscription();
  if (!info) return null;
  return { usedSeconds: info.timeUsedThisMonth, limitSeconds: getLimitSeconds(info) };
}

/** This month's usage from the server; null when it does not answer. */
export async function fetchAllowance(): Promise<AllowanceUsage | null> {
  await checkSubscription();
  return getCachedAllowance();
}

/** Refetches what a recording changes: lectures, the folders' counts and the remaining allowance. */
export function refreshAfterRecording(): void {
  void refetchQueries(getQueryKey(api.lectures));
  void refetchQueries(getQueryKey(api.folders));
  void refreshSubscription();
}
