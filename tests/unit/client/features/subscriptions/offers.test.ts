import { describe, expect, it } from "vitest";
import { formatDollars, getCost, getOffer } from "#client/features/subscriptions/offers.ts";
import { noSubscription, type PlanDefinition, type SubscriptionInfo } from "#shared/plans.ts";

const free: PlanDefinition = {
  tier: "free",
  name: "Free",
  hoursPerMonth: 1,
  readersMax: 30,
  monthlyPriceCents: 0,
  annualPriceCents: 0,
  monthlyPriceId: null,
  annualPriceId: null,
  features: [],
};
const pro: PlanDefinition = {
  ...free,
  tier: "pro",
  monthlyPriceCents: 1_399,
  annualPriceCents: 13_430,
  monthlyPriceId: "pro_month",
  annualPriceId: "pro_year",
};
const premium: PlanDefinition = {
  ...pro,
  tier: "premium",
  monthlyPriceId: "premium_month",
  annualPriceId: "premium_year",
};

const end = "2026-12-20T00:00:00.000Z";
const onPro: SubscriptionInfo = {
  ...noSubscription,
  subscriptionTier: "pro",
  subscriptionStatus: "active",
  subscribed: true,
  subscriptionEnd: end,
  interval: "month",
};
const onPremium: SubscriptionInfo = { ...onPro, subscriptionTier: "premium", interval: "year" };
const ending: SubscriptionInfo = {
  ...onPro,
  subscriptionStatus: "cancelled",
  cancelAtPeriodEnd: true,
};
const tested: SubscriptionInfo = { ...onPro, simulated: true };

const none = { kind: "none" };
const checkout = (priceId: string) => ({ kind: "checkout", priceId });
const change = (priceId: string, to: string) => ({ kind: "change", priceId, to });

describe("plans offered to", () => {
  it.each([
    [
      "nobody's subscriber",
      noSubscription,
      "month",
      none,
      checkout("pro_month"),
      checkout("premium_month"),
    ],
    [
      "one, by the year",
      noSubscription,
      "year",
      none,
      checkout("pro_year"),
      checkout("premium_year"),
    ],
    ["Pro", onPro, "month", { kind: "downgrade" }, none, change("premium_month", "higher")],
    [
      "Pro, by the year",
      onPro,
      "year",
      { kind: "downgrade" },
      change("pro_year", "interval"),
      change("premium_year", "higher"),
    ],
    ["annual Premium", onPremium, "year", { kind: "downgrade" }, change("pro_year", "lower"), none],
    [
      "a Pro that ends",
      ending,
      "month",
      { kind: "scheduled", startsOn: end },
      { kind: "resume" },
      change("premium_month", "higher"),
    ],
    ["a simulated Pro", tested, "year", { kind: "downgrade" }, none, checkout("premium_year")],
  ] as const)("%s", (_name, info, interval, toFree, toPro, toPremium) => {
    expect(getOffer(free, interval, info)).toEqual(toFree);
    expect(getOffer(pro, interval, info)).toEqual(toPro);
    expect(getOffer(premium, interval, info)).toEqual(toPremium);
  });

  it("does not offer a price that is not sold", () => {
    expect(getOffer({ ...pro, annualPriceId: null }, "year", noSubscription)).toEqual(none);
  });
});

describe("prices", () => {
  it("are per month, and a year is paid at once", () => {
    expect(getCost(pro, "month")).toEqual({ monthCents: 1_399, paymentCents: 1_399 });
    expect(formatDollars(getCost(pro, "year").monthCents)).toBe("$11.19");
    expect(formatDollars(getCost(pro, "year").paymentCents)).toBe("$134.30");
  });

  it.each([
    [0, "$0"],
    [1_399, "$13.99"],
    [3_499, "$34.99"],
    [1_000, "$10"],
    [1_050, "$10.50"],
    [999.6, "$10"],
  ])("of %d cents", (cents, text) => {
    expect(formatDollars(cents)).toBe(text);
  });
});
