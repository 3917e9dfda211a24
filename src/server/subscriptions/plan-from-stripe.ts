import type { BillingSubscription } from "#server/ports.ts";
import type {
  BillingInterval,
  PaidTier,
  PaymentState,
  SubscriptionStatus,
  Tier,
} from "#shared/plans.ts";
import { findTier, type PriceBook } from "./prices.ts";

/** A subscription that is paid for, or owed for, with what it buys. */
export interface LiveSubscription extends BillingSubscription {
  tier: PaidTier;
}

/** What of the subscriptions table follows from Stripe alone. */
export interface StripePlan {
  tier: Tier;
  status: SubscriptionStatus;
  interval: BillingInterval | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  paymentState: PaymentState;
  stripeSubscriptionId: string | null;
}

/** Whether money moves for a subscription in this status, or is owed: not yet, or not any more, is no. */
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
 * The one live subscription that counts, and live ones beside it, which have to end. The newest counts:
 * it is what the user chose last, and whoever asks when, the choice is the same. What the price book
 * does not sell is somebody else's to look after: `foreign`.
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

/** True while the last payment is owed: nothing is changed or bought then before it is paid. */
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
 * The plan that a subscription stands for. While Stripe still tries to collect a renewal (`past_due`)
 * the plan goes on and the user is told; once it has given up (`unpaid`) the plan is Free until it is
 * paid.
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
