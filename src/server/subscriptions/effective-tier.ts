import type { subscriptions } from "#drizzle/schema.ts";
import type { SubscriptionInfo, Tier } from "#shared/plans.ts";

/** The columns of the subscriptions table that the user sees. */
export type SubscriptionRow = Pick<
  typeof subscriptions.$inferSelect,
  "tier" | "status" | "currentPeriodEnd" | "interval" | "cancelAtPeriodEnd" | "paymentState"
> & {
  /** A simulated payment, which never renews. */
  simulated: boolean;
};

/**
 * The tier in effect at `now`: that of an active subscription, that of a cancelled or simulated one until its
 * period ends, otherwise Free. An active one whose period is over is being renewed.
 */
export function getEffectiveTier(
  state: Pick<SubscriptionRow, "tier" | "status" | "currentPeriodEnd" | "simulated"> | null,
  now: Date,
): Tier {
  if (!state) return "free";
  const isPaidFor = state.currentPeriodEnd !== null && state.currentPeriodEnd > now;
  switch (state.status) {
    case "active":
      return state.simulated && !isPaidFor ? "free" : state.tier;
    case "cancelled":
      return isPaidFor ? state.tier : "free";
    case "inactive":
      return "free";
    default:
      return state.status satisfies never;
  }
}

/** The subscription as the client sees it at `now`. An expired one counts as none. */
export function toSubscriptionInfo(
  row: SubscriptionRow | null,
  now: Date,
): Omit<SubscriptionInfo, "hourLimit" | "timeUsedThisMonth"> {
  const subscriptionTier = getEffectiveTier(row, now);
  const paid = subscriptionTier === "free" ? null : row;
  return {
    subscriptionTier,
    subscriptionStatus: row && subscriptionTier === row.tier ? row.status : "inactive",
    subscribed: paid !== null,
    subscriptionEnd: paid?.currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd: paid?.cancelAtPeriodEnd ?? false,
    paymentState: row?.paymentState ?? "ok",
    interval: paid?.interval ?? null,
    simulated: paid?.simulated ?? false,
  };
}
