import { describe, expect, it } from "vitest";
import { formatDollars, getCost, getOffer } from "#client/features/subscriptions/offers.ts";
import { noSubscription, type SubscriptionInfo } from "#shared/plans.ts";
import { createPlan, onPro } from "#tests/unit/client/kit/plans.ts";

const pro = createPlan("pro");
const onPremium: SubscriptionInfo = { ...onPro, subscriptionTier: "premium", interval: "year" };
const ending: SubscriptionInfo = {
  ...onPro,
  subscriptionStatus: "cancelled",
  cancelAtPeriodEnd: true,
};
const simulated: SubscriptionInfo = { ...onPro, simulated: true };

describe("plans offered to", () => {
  it.each([
    ["Free", noSubscription, "month", ["none", "checkout pro_month", "checkout premium_month"]],
    [
      "Free by year",
      noSubscription,
      "year",
      ["none", "checkout pro_year", "checkout premium_year"],
    ],
    ["Pro", onPro, "month", ["downgrade", "none", "change premium_month higher"]],
    [
      "Pro by year",
      onPro,
      "year",
      ["downgrade", "change pro_year interval", "change premium_year higher"],
    ],
    ["annual Premium", onPremium, "year", ["downgrade", "change pro_year lower", "none"]],
    [
      "a Pro that ends",
      ending,
      "month",
      [`scheduled ${onPro.subscriptionEnd}`, "resume", "change premium_month higher"],
    ],
    ["a simulated Pro", simulated, "year", ["downgrade", "none", "checkout premium_year"]],
  ] as const)("%s", (_name, info, interval, expected) => {
    const offers = (["free", "pro", "premium"] as const).map((tier) =>
      Object.values(getOffer(createPlan(tier), interval, info)).join(" "),
    );
    expect(offers).toEqual(expected);
  });

  it("does not offer a price that is not sold", () => {
    expect(getOffer({ ...pro, annualPriceId: null }, "year", noSubscription)).toEqual({
      kind: "none",
    });
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
