import {
  type BillingInterval,
  type PlanDefinition,
  type SubscriptionInfo,
  type Tier,
  tiers,
} from "#shared/plans.ts";

export type Offer =
  /** It is the current plan and continues. */
  | { kind: "none" }
  /** Bought on the payment provider's page. */
  | { kind: "checkout"; priceId: string }
  /** A change from one paid price to another, effective at once. */
  | { kind: "change"; priceId: string; to: "higher" | "lower" | "interval" }
  | { kind: "downgrade" }
  /** Free begins at `startsOn`, ISO 8601. */
  | { kind: "scheduled"; startsOn: string }
  | { kind: "resume" };

const getRank = (tier: Tier) => tiers.indexOf(tier);

/** The cost of a plan per month and per payment when paid by `interval`, in US cents. */
export function getCost(plan: PlanDefinition, interval: BillingInterval) {
  const isMonthly = interval === "month";
  const paymentCents = isMonthly ? plan.monthlyPriceCents : plan.annualPriceCents;
  return { monthCents: isMonthly ? paymentCents : paymentCents / 12, paymentCents };
}

/** `$13.99`, or `$14` without cents. */
export function formatDollars(cents: number): string {
  const whole = Math.round(cents);
  return whole % 100 === 0 ? `$${whole / 100}` : `$${(whole / 100).toFixed(2)}`;
}

/** True while there is a subscription at the payment provider. */
export const isBilled = (info: SubscriptionInfo): boolean => info.subscribed && !info.simulated;

export function getOffer(
  plan: PlanDefinition,
  interval: BillingInterval,
  info: SubscriptionInfo,
): Offer {
  if (plan.tier === "free") return getFreeOffer(info);
  const priceId = interval === "month" ? plan.monthlyPriceId : plan.annualPriceId;
  const isCurrent = plan.tier === info.subscriptionTier;
  if (isCurrent && (info.simulated || info.interval === interval))
    return info.cancelAtPeriodEnd ? { kind: "resume" } : { kind: "none" };
  if (priceId === null) return { kind: "none" };
  if (!isBilled(info)) return { kind: "checkout", priceId };
  if (isCurrent) return { kind: "change", priceId, to: "interval" };
  const to = getRank(plan.tier) > getRank(info.subscriptionTier) ? "higher" : "lower";
  return { kind: "change", priceId, to };
}

function getFreeOffer({ subscribed, cancelAtPeriodEnd, subscriptionEnd }: SubscriptionInfo): Offer {
  if (!subscribed) return { kind: "none" };
  if (!cancelAtPeriodEnd) return { kind: "downgrade" };
  return subscriptionEnd ? { kind: "scheduled", startsOn: subscriptionEnd } : { kind: "none" };
}
