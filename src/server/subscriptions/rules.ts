import type {
  BillingInterval,
  PaymentState,
  SubscriptionInfo,
  SubscriptionStatus,
  Tier,
} from "#shared/plans.ts";

/** A row of the subscriptions table, as far as it decides what the user may do. */
export interface SubscriptionState {
  tier: Tier;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
  /** A simulated payment: nobody renews it. */
  simulated: boolean;
}

/** What else of the row the user reads. */
export interface SubscriptionRow extends SubscriptionState {
  interval: BillingInterval | null;
  cancelAtPeriodEnd: boolean;
  paymentState: PaymentState;
}

/**
 * The tier that counts at `now`: an active subscription's own, a cancelled or simulated one's until
 * its period ends, otherwise Free. An active one whose period has passed is being renewed.
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

/** What the user is told of `row` at `now`. One whose end has passed is as if it had never been. */
export function toSubscriptionInfo(
  row: SubscriptionRow | null,
  now: Date,
): Omit<SubscriptionInfo, "hourLimit" | "timeUsedThisMonth"> {
  const subscriptionTier = getEffectiveTier(row, now);
  const paymentState = row?.paymentState ?? "ok";
  if (!row || subscriptionTier === "free")
    return {
      subscriptionTier,
      subscriptionStatus: row && subscriptionTier === row.tier ? row.status : "inactive",
      subscribed: false,
      subscriptionEnd: null,
      cancelAtPeriodEnd: false,
      paymentState,
      interval: null,
      simulated: false,
    };
  return {
    subscriptionTier,
    subscriptionStatus: row.status,
    subscribed: true,
    subscriptionEnd: row.currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    paymentState,
    interval: row.interval,
    simulated: row.simulated,
  };
}

/** First day of `now`'s calendar month in UTC, as Postgres writes a date. */
export function getUsageMonth(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
