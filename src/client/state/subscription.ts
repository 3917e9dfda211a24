import { queryOptions, useQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect } from "react";
import { afterFirstPaint } from "#client/lib/after-first-paint.ts";
import { browserClock } from "#client/lib/clock.ts";
import { useValue } from "#client/lib/hooks.ts";
import { noSubscription, type SubscriptionInfo } from "#shared/plans.ts";
import { api, queryClient } from "./queries.tsx";
import { SubscriptionWatch } from "./subscription-watch.ts";
import { trpc } from "./trpc.ts";
import type { UserChannelEvents } from "./user-channel.ts";
import { getUserId, visitor, visitorChangedAt } from "./visitor.ts";

async function fetchSubscription(): Promise<SubscriptionInfo> {
  try {
    return await trpc.subscriptions.check.query();
  } catch (failure) {
    // The cached value stays, and the user is not bothered.
    console.warn("The subscription could not be checked", failure);
    throw failure;
  }
}

const subscriptionQuery = queryOptions({
  queryKey: getQueryKey(api.subscriptions.check, undefined, "query"),
  queryFn: fetchSubscription,
});

/** The signed-in user's subscription as last fetched; undefined before that. */
export const getCachedSubscription = (): SubscriptionInfo | undefined =>
  queryClient.getQueryData(subscriptionQuery.queryKey);

async function check(options: { retry?: false }): Promise<void> {
  if (getUserId() === null) return;
  await queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0, ...options }).catch(() => {});
}

/** Fetches the subscription, unless a fetch is in flight or nobody is signed in. Failures are only logged. */
export const checkSubscription = (): Promise<void> => check({ retry: false });

/** Fetches after a change: a response in flight may be older than the change. */
export async function refreshSubscription(): Promise<void> {
  if (queryClient.isFetching(subscriptionQuery) > 0) await checkSubscription();
  await checkSubscription();
}

const loadUserChannel = afterFirstPaint(() => import("./user-channel.ts"));

/** Loads the user channel after the first paint; until then it counts as connecting. */
function followUpdates(events: UserChannelEvents): () => void {
  let close: (() => void) | null = () => {};
  loadUserChannel().then(
    ({ openUserChannel }) => {
      if (close) close = openUserChannel(events);
    },
    (failure: unknown) => console.warn("The user channel could not be fetched", failure),
  );
  return () => {
    close?.();
    close = null;
  };
}

const subscriptionWatch = new SubscriptionWatch({
  clock: browserClock,
  check: checkSubscription,
  load: () => check({}),
  recheck: refreshSubscription,
  follow: followUpdates,
});

/** Keeps the user channel open, which also tells of changed lectures. Returns the function that ends that. */
export const watchSubscription = (): (() => void) => subscriptionWatch.watch();

const updateWatch = () => subscriptionWatch.authChanged(getUserId(), visitorChangedAt);
visitor.subscribe(updateWatch);
updateWatch();

export interface Subscription {
  info: SubscriptionInfo;
  /** `known`: `info` comes from the server. Otherwise, and without a user, it is Free with nothing used. */
  state: "known" | "loading" | "failed";
  retry: () => void;
}

/** Stays up to date with other tabs, devices and the payment provider while the component is mounted. */
export function useSubscription(): Subscription {
  const signedIn = useValue(visitor).kind === "user";
  useEffect(() => (signedIn ? watchSubscription() : undefined), [signedIn]);
  // The watch decides when it is fetched.
  const { data, isError } = useQuery({ ...subscriptionQuery, enabled: false });
  const known = signedIn ? data : undefined;
  return {
    info: known ?? noSubscription,
    state: known || !signedIn ? "known" : isError ? "failed" : "loading",
    retry: () => void checkSubscription(),
  };
}
