import {
  noSubscription,
  type PlanDefinition,
  type SubscriptionInfo,
  type Tier,
} from "#shared/plans.ts";

/** A plan whose prices are `<tier>_month` and `<tier>_year`; Free has none. */
export const createPlan = (tier: Tier): PlanDefinition => ({
  tier,
  name: tier,
  hoursPerMonth: 1,
  readersMax: 30,
  monthlyPriceCents: 1_399,
  annualPriceCents: 13_430,
  monthlyPriceId: tier === "free" ? null : `${tier}_month`,
  annualPriceId: tier === "free" ? null : `${tier}_year`,
  features: [],
});

/** Pro, paid monthly. */
export const onPro: SubscriptionInfo = {
  ...noSubscription,
  subscriptionTier: "pro",
  subscriptionStatus: "active",
  subscribed: true,
  subscriptionEnd: new Date(2026, 11, 20).toISOString(),
  hourLimit: 20,
  interval: "month",
};
