import type { SubscriptionStatus, Tier } from "../../shared/plans.ts";

/** A row of the subscriptions table, as far as it decides what the user may do. */
export interface SubscriptionState {
  tier: Tier;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
}

/**
 * The tier that counts at `now`: an active subscription's own, a cancelled one's until its period
 * ends, otherwise Free.
 */
export function effectiveTier(state: SubscriptionState | null, now: Date): Tier {
  if (!state) return "free";
  switch (state.status) {
    case "active":
      return state.tier;
    case "cancelled":
      return state.currentPeriodEnd && state.currentPeriodEnd > now ? state.tier : "free";
    case "inactive":
      return "free";
    default:
      return state.status satisfies never;
  }
}

/** First day of `now`'s calendar month in UTC, as Postgres writes a date. */
export function usageMonth(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
