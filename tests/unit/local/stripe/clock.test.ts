import type Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { monthsAfter, periodEnd } from "../../../../local/stripe/periods.ts";
import { day, openShop, type Shop } from "./shop.ts";

const at = (iso: string) => Date.parse(iso) / 1_000;

describe("periods", () => {
  test("from the 31st: the last day of shorter months, and back to the 31st", () => {
    const anchor = at("2027-01-31T23:59:59Z");
    const ends: string[] = [];
    let end = anchor;
    for (let n = 0; n < 5; n += 1) {
      end = periodEnd(anchor, "month", end, null);
      ends.push(new Date(end * 1_000).toISOString().slice(0, 19));
    }
    expect(ends).toEqual([
      "2027-02-28T23:59:59",
      "2027-03-31T23:59:59",
      "2027-04-30T23:59:59",
      "2027-05-31T23:59:59",
      "2027-06-30T23:59:59",
    ]);
  });

  test("a year from the 29th of February", () => {
    const anchor = at("2028-02-29T00:00:00Z");
    expect(monthsAfter(anchor, 12)).toBe(at("2029-02-28T00:00:00Z"));
    expect(periodEnd(anchor, "year", at("2031-02-28T00:00:00Z"), null)).toBe(
      at("2032-02-29T00:00:00Z"),
    );
  });

  test("in seconds, where they are shortened", () => {
    expect(periodEnd(at("2027-01-31T00:00:00Z"), "year", 1_000, 5)).toBe(1_005);
  });
});

describe("what the clock brings about", () => {
  let shop: Shop;
  afterEach(() => shop.close());

  const state = async (id: string) => {
    const { status, items } = await shop.stripe.subscriptions.retrieve(id);
    return [status, items.data[0]?.current_period_end] as const;
  };
  const newest = async (subscription: Stripe.Subscription) => {
    const [invoice] = (await shop.stripe.invoices.list({ subscription: subscription.id })).data;
    if (!invoice) throw new Error("no invoice");
    return invoice;
  };

  test("renewals, one for each period that is over", async () => {
    shop = await openShop({ start: "2027-01-31T08:00:00Z" });
    const { subscription } = await shop.subscribe();
    await shop.later(28 * day - 1);
    expect(await state(subscription.id)).toEqual(["active", at("2027-02-28T08:00:00Z")]);
    shop.deliveries.length = 0;
    await shop.later(1);
    expect(await state(subscription.id)).toEqual(["active", at("2027-03-31T08:00:00Z")]);
    expect(shop.types().sort()).toEqual(["customer.subscription.updated", "invoice.paid"]);
    await shop.order({ now: "2027-06-30T08:00:00Z", settle: true });
    expect(await state(subscription.id)).toEqual(["active", at("2027-07-31T08:00:00Z")]);
    const invoices = (await shop.stripe.invoices.list()).data;
    expect(invoices.map(({ billing_reason: reason }) => reason)).toEqual([
      ...Array(5).fill("subscription_cycle"),
      "subscription_create",
    ]);
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(6);
    expect(invoices[0]?.created).toBe(at("2027-06-30T08:00:00Z"));
  });

  test("an end that was planned through the API", async () => {
    shop = await openShop();
    const { customer, subscription } = await shop.subscribe();
    await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await shop.later(30 * day, { customer: customer.id });
    const ended = await shop.stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({
      status: "canceled",
      ended_at: at("2026-12-20T12:00:00Z"),
      canceled_at: at("2026-11-20T12:00:00Z"),
      cancel_at_period_end: true,
    });
    expect(shop.types()).toContain("customer.subscription.deleted");
    expect((await shop.stripe.invoices.list()).data).toHaveLength(1);
  });

  test("an end on a day within a later period", async () => {
    shop = await openShop();
    const { subscription } = await shop.subscribe();
    const day40 = at("2026-12-30T12:00:00Z");
    await shop.stripe.subscriptions.update(subscription.id, { cancel_at: day40 });
    await shop.later(39 * day);
    expect((await state(subscription.id))[0]).toBe("active");
    await shop.later(2 * day);
    const ended = await shop.stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({ status: "canceled", ended_at: day40 });
  });

  test("a renewal that fails, is tried again and pays in the end", async () => {
    shop = await openShop();
    const { customer, subscription } = await shop.subscribe();
    await shop.order({ card: { customer: customer.id, declines: true } });
    await shop.later(30 * day);
    expect((await state(subscription.id))[0]).toBe("past_due");
    expect(shop.types()).toContain("invoice.payment_failed");
    expect(await shop.stripe.customers.retrieve(customer.id)).toMatchObject({ delinquent: true });
    expect(await newest(subscription)).toMatchObject({
      ...{ status: "open", attempt_count: 1, attempted: true, amount_remaining: 1_399 },
      next_payment_attempt: at("2026-12-23T12:00:00Z"),
    });
    await shop.later(3 * day);
    expect(await newest(subscription)).toMatchObject({
      attempt_count: 2,
      next_payment_attempt: at("2026-12-28T12:00:00Z"),
    });
    await shop.order({ card: { customer: customer.id, declines: false } });
    await shop.later(5 * day);
    expect(await newest(subscription)).toMatchObject({ status: "paid", attempt_count: 3 });
    expect(await state(subscription.id)).toEqual(["active", at("2027-01-20T12:00:00Z")]);
  });

  test.each([
    ["canceled", "canceled", "customer.subscription.deleted"],
    ["unpaid", "unpaid", "customer.subscription.updated"],
    ["past_due", "past_due", "invoice.payment_failed"],
  ])("when every attempt has failed: %s", async (afterRetries, status, type) => {
    shop = await openShop();
    const { customer, subscription } = await shop.subscribe();
    await shop.order({ afterRetries, card: { customer: customer.id, declines: true } });
    await shop.later(30 * day);
    await shop.later(14 * day);
    expect((await state(subscription.id))[0]).toBe("past_due");
    shop.deliveries.length = 0;
    await shop.later(1 * day);
    expect((await state(subscription.id))[0]).toBe(status);
    expect(shop.types()).toContain(type);
    const invoice = await newest(subscription);
    expect(invoice).toMatchObject({ attempt_count: 4, next_payment_attempt: null });
    if (status === "canceled") return;
    // What is paid later brings it back.
    await shop.order({ card: { customer: customer.id, declines: false } });
    await shop.stripe.invoices.pay(invoice.id ?? "");
    expect((await state(subscription.id))[0]).toBe("active");
  });

  test("sessions that nobody pays expire", async () => {
    shop = await openShop();
    const { session } = await shop.openCheckout();
    await shop.order({ webhookTypes: ["*"] });
    await shop.later(day);
    expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe("expired");
    expect(shop.types()).toContain("checkout.session.expired");
  });

  test("one customer's clock does not move another's", async () => {
    shop = await openShop();
    const one = await shop.subscribe();
    const other = await shop.subscribe();
    await shop.later(31 * day, { customer: one.customer.id });
    expect(await state(one.subscription.id)).toEqual(["active", at("2027-01-20T12:00:00Z")]);
    expect(await state(other.subscription.id)).toEqual(["active", at("2026-12-20T12:00:00Z")]);
  });

  test("short periods turn by themselves", async () => {
    shop = await openShop();
    await shop.order({ periodSeconds: 3 });
    const { subscription } = await shop.subscribe();
    const start = at("2026-11-20T12:00:00Z");
    expect(await state(subscription.id)).toEqual(["active", start + 3]);
    await shop.waits.until(3_000);
    shop.time.now = new Date((start + 3) * 1_000);
    shop.deliveries.length = 0;
    shop.waits.pass(3_000);
    await shop.order({ settle: true });
    expect(shop.types()).toContain("invoice.paid");
    expect(await state(subscription.id)).toEqual(["active", start + 6]);
  });
});
