import { describe, expect, test } from "vitest";
import {
  noPlan,
  selectLiveSubscription,
  toStripePlan,
} from "#server/subscriptions/plan-from-stripe.ts";
import { findPrice, findTier } from "#server/subscriptions/prices.ts";
import { annualPriceCents } from "#shared/plans.ts";
import { createSubscription, periodEnd } from "#tests/unit/server/support/fake-billing.ts";
import { prices } from "#tests/unit/server/support/prices.ts";

const later = new Date("2026-11-20T12:00:01.000Z");

describe("prices", () => {
  test("map to a tier and an interval", () => {
    expect(findPrice(prices, "price_pro_annual")).toEqual({ tier: "pro", interval: "year" });
    expect(findPrice(prices, "price_premium_monthly")).toEqual({
      tier: "premium",
      interval: "month",
    });
    expect(findPrice(prices, "prod_pro")).toBeNull();
  });

  test("map to a tier by their product if they are no longer sold", () => {
    expect(findTier(prices, { priceId: "price_old", productId: "prod_premium" })).toBe("premium");
    expect(findTier(prices, { priceId: "price_old", productId: "prod_other" })).toBeNull();
  });

  test("are twelve months less the saving for a year, to the cent", () => {
    expect(annualPriceCents(1_399, 20)).toBe(13_430);
    expect(annualPriceCents(3_499, 20)).toBe(33_590);
    expect(annualPriceCents(1_399, 0)).toBe(16_788);
    expect(annualPriceCents(0, 20)).toBe(0);
  });
});

describe("chooseLive", () => {
  const choose = (...all: Parameters<typeof createSubscription>[0][]) =>
    selectLiveSubscription(all.map(createSubscription), prices);

  test("chooses the newest of two live subscriptions in any order", () => {
    const [old, young] = [{ id: "sub_z" }, { id: "sub_a", createdAt: later }];
    for (const listed of [
      [old, young],
      [young, old],
    ]) {
      const { kept, surplus } = choose(...listed);
      expect([kept?.id, surplus.map(({ id }) => id)]).toEqual(["sub_a", ["sub_z"]]);
    }
  });

  test("chooses by id if they were created in the same second", () => {
    expect(choose({ id: "sub_1" }, { id: "sub_2" }).kept?.id).toBe("sub_2");
    expect(choose({ id: "sub_2" }, { id: "sub_1" }).kept?.id).toBe("sub_2");
  });

  test.each(["incomplete", "incomplete_expired", "canceled"] as const)(
    "ignores a subscription that is %s and does not cancel it",
    (status) => {
      expect(choose({ status, createdAt: later })).toEqual({
        kept: null,
        surplus: [],
        foreign: [],
      });
    },
  );

  test("ignores other products and does not cancel them", () => {
    const { kept, surplus, foreign } = choose(
      {},
      { id: "sub_other", priceId: "price_x", productId: "prod_x", createdAt: later },
    );
    expect([kept?.id, surplus, foreign.map(({ id }) => id)]).toEqual(["sub_1", [], ["sub_other"]]);
  });
});

describe("toStripePlan", () => {
  const plan = (over: Parameters<typeof createSubscription>[0]) =>
    toStripePlan({ ...createSubscription(over), tier: "pro" });
  const active = {
    tier: "pro",
    status: "active",
    interval: "month",
    currentPeriodEnd: periodEnd,
    cancelAtPeriodEnd: false,
    paymentState: "ok",
    stripeSubscriptionId: "sub_1",
  };

  test("maps no subscription to Free", () => expect(toStripePlan(null)).toEqual(noPlan));
  test("renews an active plan at the end of its period", () => expect(plan({})).toEqual(active));
  test("treats trialing as active", () => expect(plan({ status: "trialing" })).toEqual(active));
  test("maps a scheduled end to cancelled until then", () => {
    expect(plan({ endsAt: periodEnd, endsWithPeriod: true })).toEqual({
      ...active,
      status: "cancelled",
      cancelAtPeriodEnd: true,
    });
  });
  test("uses an end date instead of the period", () => {
    expect(plan({ endsAt: later })).toMatchObject({
      status: "cancelled",
      currentPeriodEnd: later,
    });
  });
  test("keeps the plan and reports it while Stripe tries to collect", () => {
    expect(plan({ status: "past_due" })).toEqual({ ...active, paymentState: "past_due" });
  });
  test("maps to Free once Stripe has given up, and keeps the subscription", () => {
    const unpaid = { ...noPlan, paymentState: "past_due", stripeSubscriptionId: "sub_1" };
    expect(plan({ status: "unpaid" })).toEqual(unpaid);
    expect(plan({ status: "paused" })).toEqual({ ...unpaid, paymentState: "ok" });
  });
});
