import type {
  BillingInterval,
  PaymentState,
  SubscriptionInfo,
  SubscriptionStatus,
  Tier,
} from "#shared/plans.ts";

/** The columns of the subscriptions table that decide the effective tier. */
export interface SubscriptionState {
  tier: Tier;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
  /** A simulated payment, which never renews. */
  simulated: boolean;
}

/** Further columns that the user sees. */
export interface SubscriptionRow extends SubscriptionState {
  interval: BillingInterval | null;
  cancelAtPeriodEnd: boolean;
  paymentState: PaymentState;
}

/**
 * The tier in effect at `now`: that of an active subscription, that of a cancelled or simulated one until its
 * period ends, otherwise Free. An active one whose period is over is being renewed.
 */
export function getEffectiveTier(state: SubscriptionState | null, now: Date): Tier {
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
