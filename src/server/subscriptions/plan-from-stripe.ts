import type { BillingSubscription } from "#server/ports.ts";
import type { PaidTier } from "#shared/plans.ts";
import type { SubscriptionRow } from "./effective-tier.ts";
import { findTier, type PriceBook } from "./prices.ts";

export interface LiveSubscription extends BillingSubscription {
  tier: PaidTier;
}

/** The columns of the subscriptions table that come from Stripe. */
export interface StripePlan extends Omit<SubscriptionRow, "simulated"> {
  stripeSubscriptionId: string | null;
}

/** Whether a subscription in this status is paid for, or has a payment due. */
const liveStatuses: Record<BillingSubscription["status"], boolean> = {
  active: true,
  trialing: true,
  past_due: true,
  unpaid: true,
  paused: true,
  incomplete: false,
  incomplete_expired: false,
  canceled: false,
};

/**
 * Selects the live subscription that counts (`kept`: the newest, which is the user's last choice), further
 * live ones that must be cancelled (`surplus`), and those for products that are not in the price book
 * (`foreign`).
 */
export function selectLiveSubscription(
  subscriptions: readonly BillingSubscription[],
  prices: PriceBook,
): { kept: LiveSubscription | null; surplus: LiveSubscription[]; foreign: BillingSubscription[] } {
  const live: LiveSubscription[] = [];
  const foreign: BillingSubscription[] = [];
  for (const one of subscriptions) {
    if (!liveStatuses[one.status]) continue;
    const tier = findTier(prices, one);
    if (tier) live.push({ ...one, tier });
    else foreign.push(one);
  }
  const [kept, ...surplus] = live.sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  return { kept: kept ?? null, surplus, foreign };
}

/** True while the last payment is due: the plan cannot be changed before it is paid. */
export function isPaymentDue({ status }: BillingSubscription): boolean {
  return status === "past_due" || status === "unpaid";
}

export const noPlan: StripePlan = {
  tier: "free",
  status: "inactive",
  interval: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  paymentState: "ok",
  stripeSubscriptionId: null,
};

/**
 * Converts a subscription to the user's plan. While Stripe retries a renewal payment (`past_due`) the plan
 * continues and the user is warned; after Stripe has given up (`unpaid`) the plan is Free until it is paid.
 */
export function toStripePlan(subscription: LiveSubscription | null): StripePlan {
  if (!subscription) return noPlan;
  const { id, status, tier, interval, currentPeriodEnd, endsAt } = subscription;
  const paymentState = isPaymentDue(subscription) ? "past_due" : "ok";
  if (status === "unpaid" || status === "paused")
    return { ...noPlan, paymentState, stripeSubscriptionId: id };
  return {
    tier,
    status: endsAt ? "cancelled" : "active",
    interval,
    currentPeriodEnd: endsAt ?? currentPeriodEnd,
    cancelAtPeriodEnd: endsAt !== null,
    paymentState,
    stripeSubscriptionId: id,
  };
}
