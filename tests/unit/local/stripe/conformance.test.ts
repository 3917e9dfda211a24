import type Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { day, openShop, type Shop } from "./shop.ts";

let shop: Shop;
afterEach(() => shop.close());

const itemOf = ({ items }: Stripe.Subscription) => {
  const [item] = items.data;
  if (!item) throw new Error("a subscription without an item");
  return item;
};

describe.each([
  ["Node's http", false],
  ["fetch", true],
])("the official client over %s", (_, fetchClient) => {
  test("subscribes a customer through checkout", async () => {
    shop = await openShop({ fetchClient });
    const { stripe } = shop;
    const { customer, session, page } = await shop.openCheckout();
    expect(customer).toMatchObject({
      object: "customer",
      email: "reader@example.org",
      metadata: { user_id: "u1" },
      livemode: false,
    });
    expect(customer.lastResponse.requestId).toMatch(/^req_/);
    expect(customer.lastResponse.apiVersion).toBe("2026-10-28.endive");
    expect(session).toMatchObject({
      object: "checkout.session",
      ...{ mode: "subscription", status: "open", payment_status: "unpaid" },
      ...{ client_reference_id: "u1", customer: customer.id, subscription: null },
      amount_total: 1_399,
    });
    expect(page).toBe(`${shop.url}/stripe/checkout/${session.id}`);

    const paid = await shop.post(page, { action: "pay" });
    expect([paid.status, paid.headers.get("location")]).toEqual([
      303,
      `https://dualect.test/profile?checkout=success&id=${session.id}`,
    ]);
    const done = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ["line_items", "subscription.latest_invoice", "customer"],
    });
    expect(done).toMatchObject({ status: "complete", payment_status: "paid", url: null });
    expect(done.line_items?.data[0]?.price?.id).toBe("price_pro_monthly");
    expect(done.customer).toMatchObject({ object: "customer", currency: "usd" });
    const subscription = done.subscription as Stripe.Subscription;
    expect(subscription).toMatchObject({
      ...{ status: "active", customer: customer.id, cancel_at_period_end: false, cancel_at: null },
      metadata: { user_id: "u1" },
    });
    const item = itemOf(subscription);
    expect(item).toMatchObject({
      current_period_start: Date.UTC(2026, 10, 20, 12) / 1_000,
      current_period_end: Date.UTC(2026, 11, 20, 12) / 1_000,
      price: { id: "price_pro_monthly", product: "prod_pro", unit_amount: 1_399 },
    });
    expect(item.price.unit_amount_decimal?.toString()).toBe("1399");
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    expect(invoice).toMatchObject({
      ...{ status: "paid", amount_paid: 1_399, billing_reason: "subscription_create" },
      parent: {
        type: "subscription_details",
        subscription_details: { subscription: subscription.id, metadata: { user_id: "u1" } },
      },
    });
  });

  test("lists page by page, by itself", async () => {
    shop = await openShop({ fetchClient });
    const { stripe } = shop;
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1)
      made.push((await stripe.customers.create({ email: `${n}@example.org` })).id);
    const seen = await stripe.customers.list({ limit: 3 }).autoPagingToArray({ limit: 100 });
    expect(seen.map(({ id }) => id)).toEqual(made.toReversed());
    const first = await stripe.customers.list({ limit: 3 });
    expect([first.data.length, first.has_more]).toEqual([3, true]);
    const before = await stripe.customers.list({ limit: 2, ending_before: made[1] ?? "" });
    expect(before.data.map(({ id }) => id)).toEqual([made[3], made[2]]);
    expect(before.has_more).toBe(true);
    const by = await stripe.customers.list({ email: "3@example.org" });
    expect(by.data.map(({ id }) => id)).toEqual([made[3]]);
  });
});

test("finds customers, changes them, deletes them with their subscriptions", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const { customer, subscription } = await shop.subscribe();
  for (const query of [
    "email:'READER@example.org'",
    "metadata['user_id']:'u1'",
    "email~'reader' AND -metadata['user_id']:'u2'",
  ]) {
    const { data } = await stripe.customers.search({ query });
    expect(data.map(({ id }) => id)).toEqual([customer.id]);
  }
  expect((await stripe.customers.search({ query: "email:'other'" })).data).toEqual([]);
  await expect(stripe.customers.search({ query: "what is this" })).rejects.toThrow(/parse/);

  const changed = await stripe.customers.update(customer.id, {
    email: "new@example.org",
    metadata: { user_id: "", tier: "pro" },
  });
  expect(changed).toMatchObject({ email: "new@example.org", metadata: { tier: "pro" } });

  expect(await stripe.customers.del(customer.id)).toMatchObject({ deleted: true });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("canceled");
  await expect(stripe.customers.del(customer.id)).rejects.toMatchObject({
    code: "resource_missing",
    statusCode: 404,
  });
  await shop.order({ settle: true });
  expect(shop.types()).toEqual(
    expect.arrayContaining(["customer.subscription.deleted", "customer.deleted"]),
  );
});

test("has the two plans' prices by lookup key and by id", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const keys = ["premium_annual", "pro_monthly"];
  const { data } = await stripe.prices.list({ lookup_keys: keys, expand: ["data.product"] });
  expect(data.map(({ lookup_key: key }) => key).sort()).toEqual(keys);
  const annual = await stripe.prices.retrieve("price_pro_annual");
  expect(annual).toMatchObject({ unit_amount: 13_430, recurring: { interval: "year" } });
  expect((await stripe.prices.list({ product: "prod_premium" })).data).toHaveLength(2);
  expect((await stripe.products.list()).data.map(({ id }) => id).sort()).toEqual([
    "prod_premium",
    "prod_pro",
  ]);
  expect((await stripe.products.retrieve("prod_pro")).name).toBe("Dualect Pro");
});

test("changes the price within the period: half of both is settled at once or next time", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const { customer, subscription, item } = await shop.subscribe();
  await shop.later(15 * day, { customer: customer.id });

  const items = [{ id: item, price: "price_premium_monthly" }];
  const preview = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items, proration_behavior: "always_invoice" },
  });
  // Half of 34.99 less half of 13.99.
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-700, 1_750]);
  expect(preview.amount_due).toBe(1_050);

  const waiting = await stripe.subscriptions.update(subscription.id, { items });
  expect(waiting.latest_invoice).toBe(subscription.latest_invoice);
  expect(itemOf(waiting)).toMatchObject({ id: item, price: { id: "price_premium_monthly" } });
  await shop.later(15 * day, { customer: customer.id });
  const [renewal] = (await stripe.invoices.list({ customer: customer.id })).data;
  expect(renewal).toMatchObject({ billing_reason: "subscription_cycle", total: 1_050 + 3_499 });

  const back = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: "price_pro_monthly" }],
    proration_behavior: "always_invoice",
  });
  const credit = await stripe.invoices.retrieve(String(back.latest_invoice));
  expect(credit).toMatchObject({ status: "paid", amount_due: 0, total: -2_100 });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -2_100 });
});

test("a year instead of a month begins a new period and is charged at once", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const { customer, subscription, item } = await shop.subscribe();
  await shop.later(10 * day, { customer: customer.id });
  const yearly = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: "price_pro_annual" }],
  });
  expect(itemOf(yearly)).toMatchObject({
    current_period_start: Date.UTC(2026, 10, 30, 12) / 1_000,
    current_period_end: Date.UTC(2027, 10, 30, 12) / 1_000,
  });
  const invoice = await stripe.invoices.retrieve(String(yearly.latest_invoice));
  expect(invoice).toMatchObject({
    billing_reason: "subscription_update",
    total: 13_430 - Math.round((1_399 * 20) / 30),
  });
});

test("what cannot be paid is refused whole, where that is asked for", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const { customer, subscription, item } = await shop.subscribe();
  await shop.order({ card: { customer: customer.id, declines: true } });
  const change: Stripe.SubscriptionUpdateParams = {
    items: [{ id: item, price: "price_premium_monthly" }],
    proration_behavior: "always_invoice",
  };
  await expect(
    stripe.subscriptions.update(subscription.id, {
      ...change,
      payment_behavior: "error_if_incomplete",
    }),
  ).rejects.toMatchObject({ type: "StripeCardError", code: "card_declined", statusCode: 402 });
  const unchanged = await stripe.subscriptions.retrieve(subscription.id);
  expect(itemOf(unchanged).price.id).toBe("price_pro_monthly");

  const owed = await stripe.subscriptions.update(subscription.id, change);
  expect(owed).toMatchObject({ status: "past_due" });
  expect(itemOf(owed).price.id).toBe("price_premium_monthly");
  await expect(stripe.invoices.pay(String(owed.latest_invoice))).rejects.toMatchObject({
    type: "StripeCardError",
  });
  await shop.order({ card: { customer: customer.id, declines: false } });
  expect(await stripe.invoices.pay(String(owed.latest_invoice))).toMatchObject({ status: "paid" });
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
});

test("cancels at the period's end, takes that back, cancels now with and without credit", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const { customer, subscription } = await shop.subscribe();
  const end = itemOf(subscription).current_period_end;
  const cancelled = await stripe.subscriptions.update(subscription.id, {
    cancel_at_period_end: true,
  });
  expect(cancelled).toMatchObject({ cancel_at_period_end: true, cancel_at: end, status: "active" });
  const resumed = await stripe.subscriptions.update(subscription.id, {
    cancel_at_period_end: false,
  });
  expect(resumed).toMatchObject({ cancel_at_period_end: false, cancel_at: null });

  await shop.later(15 * day, { customer: customer.id });
  const now = await stripe.subscriptions.cancel(subscription.id, {
    prorate: true,
    invoice_now: true,
    cancellation_details: { feedback: "unused" },
  });
  expect(now).toMatchObject({
    status: "canceled",
    cancellation_details: { reason: "cancellation_requested", feedback: "unused" },
  });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -700 });
  await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
    code: "resource_missing",
  });
  await expect(
    stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
  ).rejects.toThrow(/canceled subscription/);
  const list = async (status?: Stripe.SubscriptionListParams.Status) =>
    (await stripe.subscriptions.list({ customer: customer.id, ...(status ? { status } : {}) })).data
      .length;
  expect([await list(), await list("all"), await list("canceled"), await list("active")]).toEqual([
    0, 1, 1, 0,
  ]);
});

test("keeps events, which can be listed by type", async () => {
  shop = await openShop();
  const { stripe } = shop;
  const { subscription } = await shop.subscribe();
  await stripe.subscriptions.update(
    subscription.id,
    { cancel_at_period_end: true },
    { idempotencyKey: "cancel/1" },
  );
  const [event] = (await stripe.events.list({ type: "customer.subscription.*", limit: 1 })).data;
  expect(event).toMatchObject({
    type: "customer.subscription.updated",
    api_version: "2026-10-28.endive",
    data: {
      object: { id: subscription.id, cancel_at_period_end: true },
      previous_attributes: { cancel_at_period_end: false, cancel_at: null, canceled_at: null },
    },
    request: { idempotency_key: "cancel/1" },
  });
  expect(await stripe.events.retrieve(event?.id ?? "")).toMatchObject({ id: event?.id });
});
