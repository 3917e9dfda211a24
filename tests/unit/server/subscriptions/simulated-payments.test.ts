import { describe, expect, test } from "vitest";
import { appRouter, liveRouter } from "#server/app-router.ts";
import { addMonth } from "#server/subscriptions/simulated-payments.ts";
import { applyEvent } from "#server/subscriptions/sync.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { createSubscription } from "#tests/unit/server/support/fake-billing.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { openCustomer, openUser } from "./support.ts";

const database = createTestDatabase();

test.each([
  ["2026-11-20T12:00:00.000Z", "2026-12-20T12:00:00.000Z"],
  ["2027-01-31T12:00:00.000Z", "2027-02-28T12:00:00.000Z"],
  ["2026-12-31T23:59:59.999Z", "2027-01-31T23:59:59.999Z"],
])("adds a month to %s: %s", (from, to) => {
  expect(addMonth(new Date(from)).toISOString()).toBe(to);
});

describe("in test mode", () => {
  test("a simulated payment adds a month", async () => {
    const { caller, changed, user } = await openUser(database());
    const pay = (tier: "pro" | "premium") => caller.subscriptions.simulatePayment({ tier });
    expect(await pay("pro")).toEqual({ newEndDate: "2026-12-20T12:00:00.000Z" });
    expect(await pay("pro")).toEqual({ newEndDate: "2027-01-20T12:00:00.000Z" });
    expect(await pay("premium")).toEqual({ newEndDate: "2026-12-20T12:00:00.000Z" });
    expect(changed).toEqual([user.id, user.id, user.id]);
    expect(await caller.subscriptions.check()).toMatchObject({
      subscriptionTier: "premium",
      subscriptionStatus: "active",
      hourLimit: 100,
      simulated: true,
    });
  });

  test("a simulated plan is ended by either downgrade, and resumed", async () => {
    const { caller } = await openUser(database());
    await caller.subscriptions.simulatePayment({ tier: "pro" });
    const status = async () => (await caller.subscriptions.check()).subscriptionStatus;
    expect(await caller.subscriptions.simulateDowngrade()).toEqual({
      message: "downgrade_scheduled",
    });
    expect(await status()).toBe("cancelled");
    await caller.subscriptions.resume();
    expect(await status()).toBe("active");
    await caller.subscriptions.downgrade();
    expect(await status()).toBe("cancelled");
  });

  test("Stripe's plan replaces a simulated one and cannot be simulated over", async () => {
    const account = await openUser(database());
    const { caller, services, billing, user } = account;
    await caller.subscriptions.simulatePayment({ tier: "premium" });
    const customerId = await openCustomer(database(), account);
    billing.getSubscriptions(customerId).push(createSubscription({ id: `sub_${user.id}` }));
    await applyEvent(services, { id: `evt_${user.id}`, type: "invoice.paid", customerId });
    expect(await caller.subscriptions.check()).toMatchObject({
      subscriptionTier: "pro",
      simulated: false,
    });
    expect(await getErrorCode(caller.subscriptions.simulatePayment({ tier: "premium" }))).toBe(
      "conflict",
    );
    expect(await getErrorCode(caller.subscriptions.simulateDowngrade())).toBe("conflict");
  });
});

test("has no procedures when payments are real", async () => {
  const all = Object.keys(appRouter._def.procedures);
  const live = Object.keys(liveRouter._def.procedures);
  expect(all.filter((path) => !live.includes(path))).toEqual([
    "subscriptions.simulatePayment",
    "subscriptions.simulateDowngrade",
  ]);
  const { context } = await openUser(database());
  const caller = createCallerFactory(liveRouter)(context);
  expect("simulatePayment" in liveRouter.subscriptions).toBe(false);
  expect(await caller.subscriptions.check()).toMatchObject({ subscriptionTier: "free" });
});

test("an earlier simulated plan is Free when payments are real, and cannot be ended or resumed", async () => {
  const { caller, context } = await openUser(database());
  await caller.subscriptions.simulatePayment({ tier: "premium" });
  context.settings.billing = { ...context.settings.billing, mode: "live" };
  expect(await caller.subscriptions.check()).toMatchObject({
    subscriptionTier: "free",
    subscribed: false,
    simulated: false,
    hourLimit: 1,
  });
  expect(await getErrorCode(caller.subscriptions.downgrade())).toBe("conflict");
  expect(await getErrorCode(caller.subscriptions.resume())).toBe("conflict");
});

test("lists the table's plans with the configured ids", async () => {
  const { caller, context } = await openUser(database());
  const { plans, ...rest } = await caller.subscriptions.plans();
  expect(rest).toEqual({ annualSavingPercent: 20, simulation: true });
  expect(plans).toEqual([
    {
      tier: "free",
      name: "Free",
      hoursPerMonth: 1,
      readersMax: 30,
      monthlyPriceCents: 0,
      annualPriceCents: 0,
      monthlyPriceId: null,
      annualPriceId: null,
      features: ["basic_transcription", "translation"],
    },
    {
      tier: "pro",
      name: "Pro",
      hoursPerMonth: 20,
      readersMax: 200,
      monthlyPriceCents: 1_399,
      annualPriceCents: 13_430,
      monthlyPriceId: prices.pro.month,
      annualPriceId: prices.pro.year,
      features: ["priority_transcription", "translation", "summaries"],
    },
    {
      tier: "premium",
      name: "Premium",
      hoursPerMonth: 100,
      readersMax: 1_000,
      monthlyPriceCents: 3_499,
      annualPriceCents: 33_590,
      monthlyPriceId: prices.premium.month,
      annualPriceId: prices.premium.year,
      features: ["priority_transcription", "translation", "summaries", "priority_support"],
    },
  ]);
  context.settings.billing = { ...context.settings.billing, mode: "live" };
  expect((await caller.subscriptions.plans()).simulation).toBe(false);
});
