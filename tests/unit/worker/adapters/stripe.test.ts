import { describe, expect, test, vi } from "vitest";
import { standInSecretKey } from "#local/stripe/api.ts";
import { UnknownCustomer } from "#server/ports.ts";
import { createEmbeddedStripe } from "#tests/unit/server/support/embedded-stripe.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { connectBilling } from "#worker/adapters/stripe.ts";

const stripe = createEmbeddedStripe();
const dayMs = 86_400_000;

async function openCustomer() {
  const billing = stripe.billing();
  const userId = crypto.randomUUID();
  const person = { userId, email: `${userId}@example.org`, key: userId };
  const customerId = await billing.createCustomer(person);
  const page = (priceId: string) =>
    billing.createCheckout({
      customerId,
      userId,
      priceId,
      successUrl: "https://dualect.test/profile?checkout=success",
      cancelUrl: "https://dualect.test/profile?checkout=cancel",
    });
  const list = () => billing.listSubscriptions({ customerId });
  const only = async () => {
    const [one, ...more] = await list();
    if (!one || more.length > 0) throw new Error("not one subscription");
    return one;
  };
  const subscribe = async (priceId = prices.pro.month) => {
    await stripe.press(await page(priceId), { action: "pay" });
    return only();
  };
  return { billing, person, customerId, page, list, only, subscribe };
}

test("the same key is the same customer", async () => {
  const { billing, person, customerId } = await openCustomer();
  expect(await billing.createCustomer(person)).toBe(customerId);
  expect(await billing.createCustomer({ ...person, key: `${person.key} again` })).not.toBe(
    customerId,
  );
});

test("a user's customers are found, and nobody else's under the same address", async () => {
  const { billing, person, customerId } = await openCustomer();
  const again = await billing.createCustomer({ ...person, key: `${person.key} again` });
  const other = { ...person, userId: crypto.randomUUID() };
  const theirs = await billing.createCustomer({ ...other, key: other.userId });
  expect((await billing.findCustomers(person)).sort()).toEqual([customerId, again].sort());
  expect(await billing.findCustomers(other)).toEqual([theirs]);
  await billing.deleteCustomer({ customerId: again });
  expect(await billing.findCustomers(person)).toEqual([customerId]);
  expect(await billing.findCustomers({ ...person, email: "nobody@example.org" })).toEqual([]);
});

test("a page that is paid on leads back, and is a subscription", async () => {
  const { page, only, list } = await openCustomer();
  const url = await page(prices.premium.year);
  expect(await list()).toEqual([]);
  expect(await stripe.press(url, { action: "pay" })).toBe(
    "https://dualect.test/profile?checkout=success",
  );
  const one = await only();
  expect(one).toMatchObject({
    status: "active",
    priceId: prices.premium.year,
    productId: prices.premium.product,
    interval: "year",
    endsAt: null,
  });
  const days = (one.currentPeriodEnd.getTime() - one.createdAt.getTime()) / dayMs;
  expect(days).toBeGreaterThan(364);
  expect(days).toBeLessThan(367);
});

test("open pages close but for one of the price that is kept", async () => {
  const { billing, customerId, page, list } = await openCustomer();
  const [pro, premium] = [await page(prices.pro.month), await page(prices.premium.month)];
  const keepPriceId = prices.premium.month;
  expect(await billing.closeCheckouts({ customerId, keepPriceId })).toBe(premium);
  await stripe.press(pro, { action: "pay" });
  expect(await list()).toEqual([]);
  expect(await billing.closeCheckouts({ customerId, keepPriceId: null })).toBeNull();
  await stripe.press(premium, { action: "pay" });
  expect(await list()).toEqual([]);
});

test("changes of price: another tier, another interval, and a scheduled end is taken back", async () => {
  const { billing, subscribe, only } = await openCustomer();
  let subscription = await subscribe();
  await billing.changePrice({ subscription, priceId: prices.premium.month });
  expect(await only()).toMatchObject({
    id: subscription.id,
    priceId: prices.premium.month,
    productId: prices.premium.product,
  });
  await billing.setCancelAtPeriodEnd({ subscription, cancel: true });
  subscription = await only();
  expect(subscription.endsAt).toEqual(subscription.currentPeriodEnd);
  await billing.changePrice({ subscription, priceId: prices.premium.year });
  expect(await only()).toMatchObject({ interval: "year", endsAt: null });
});

test("one that is paid by the week, which we do not sell, hides none of the others", async () => {
  const { subscribe, customerId } = await openCustomer();
  const [pro, url] = [await subscribe(), stripe.url()];
  const real = globalThis.fetch;
  const weekly = vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
    const answer = await (await real(...request)).json();
    const [one] = answer.data;
    const [item] = one.items.data;
    const price = {
      ...item.price,
      id: "price_x",
      product: "prod_x",
      recurring: { interval: "week" },
    };
    const other = { ...one, id: "sub_x", items: { ...one.items, data: [{ ...item, price }] } };
    return Response.json({ ...answer, data: [other, one] });
  });
  try {
    const billing = connectBilling({ url, secretKey: standInSecretKey, webhookSecret: "whsec_x" });
    expect(await billing.listSubscriptions({ customerId })).toEqual([
      { ...pro, id: "sub_x", priceId: "price_x", productId: "prod_x", interval: null },
      pro,
    ]);
  } finally {
    weekly.mockRestore();
  }
});

test("an end is scheduled and taken back, the portal's way of scheduling it too", async () => {
  const { billing, customerId, subscribe, only } = await openCustomer();
  const subscription = await subscribe();
  await billing.setCancelAtPeriodEnd({ subscription, cancel: true });
  await billing.setCancelAtPeriodEnd({ subscription: await only(), cancel: false });
  expect((await only()).endsAt).toBeNull();

  const portal = await billing.openPortal({
    customerId,
    returnUrl: "https://dualect.test/profile",
  });
  await stripe.press(portal, { action: "cancel", subscription: subscription.id });
  const ending = await only();
  expect(ending).toMatchObject({
    endsAt: subscription.currentPeriodEnd,
    endsWithPeriod: false,
  });
  await billing.setCancelAtPeriodEnd({ subscription: ending, cancel: false });
  expect((await only()).endsAt).toBeNull();
});

test("a refused card leaves the plan as it was", async () => {
  const { billing, customerId, subscribe, only } = await openCustomer();
  const subscription = await subscribe();
  await stripe.control({ card: { customer: customerId, declines: true } });
  const change = billing.changePrice({ subscription, priceId: prices.premium.month });
  await expect(change).rejects.toThrow(/card_declined/);
  await expect(change).rejects.toMatchObject({ code: "payment_failed" });
  expect((await only()).priceId).toBe(prices.pro.month);
});

test("what was cancelled or deleted may be cancelled and deleted again", async () => {
  const { billing, customerId, subscribe, list } = await openCustomer();
  const { id: subscriptionId } = await subscribe();
  await billing.cancelNow({ subscriptionId, credit: true });
  await billing.cancelNow({ subscriptionId, credit: true });
  expect(await list()).toEqual([]);
  await subscribe();
  await billing.deleteCustomer({ customerId });
  await billing.deleteCustomer({ customerId });
  expect(await list()).toEqual([]);
});

test.each([
  { credit: true, total: -1_399 },
  { credit: false, total: 1_399 },
])("what is left of a paid month is credited: $credit", async ({ credit, total }) => {
  const { billing, subscribe } = await openCustomer();
  const events: string[] = [];
  stripe.onWebhook(async (body) => {
    events.push(new TextDecoder().decode(body));
    return 200;
  });
  const { id: subscriptionId } = await subscribe();
  await billing.cancelNow({ subscriptionId, credit });
  const isOver = () => events.some((event) => event.includes("customer.subscription.deleted"));
  await vi.waitFor(() => expect(isOver()).toBe(true));
  const invoices = events.filter((event) => event.includes('"type":"invoice.paid"'));
  expect(invoices.at(-1)).toContain(`"total":${total},`);
});

test("distinguishes an unknown customer from other refusals", async () => {
  const { billing, customerId, page } = await openCustomer();
  await billing.deleteCustomer({ customerId });
  await expect(page(prices.pro.month)).rejects.toThrow(UnknownCustomer);
  const returnUrl = "https://dualect.test/profile";
  await expect(billing.openPortal({ customerId, returnUrl })).rejects.toThrow(UnknownCustomer);
  expect(await billing.listSubscriptions({ customerId: "cus_never" })).toEqual([]);
});

describe("when Stripe", () => {
  test.each([
    // The client itself tries twice, but not what it is told to do less of.
    { fail: 500, count: 2 },
    { fail: "refuse", count: 2 },
    { fail: 429, count: 1 },
  ])("answers $fail the call may be made again", async (fault) => {
    const { billing, customerId } = await openCustomer();
    await stripe.control({ calls: { match: "GET /v1/subscriptions", ...fault } });
    const list = () => billing.listSubscriptions({ customerId });
    await expect(list()).rejects.toMatchObject({ code: "unavailable" });
    expect(await list()).toEqual([]);
  });

  test("does what it was asked and the answer is lost, it is done once", async () => {
    const { billing, person } = await openCustomer();
    await stripe.control({
      calls: { match: "POST /v1/customers", fail: "lose-answer", count: 1 },
    });
    const key = `${person.key} lost`;
    const made = await billing.createCustomer({ ...person, key });
    expect(await billing.createCustomer({ ...person, key })).toBe(made);
  });

  test("cannot end a subscription or delete a customer, that is no success; what is gone is one", async () => {
    const { billing, customerId, subscribe, list } = await openCustomer();
    const { id: subscriptionId } = await subscribe();
    const cancel = () => billing.cancelNow({ subscriptionId, credit: false });
    const remove = () => billing.deleteCustomer({ customerId });
    for (const [match, call] of [
      ["DELETE /v1/subscriptions", cancel],
      ["DELETE /v1/customers", remove],
    ] as const) {
      await stripe.control({ calls: { match, fail: 500, count: 2 } });
      await expect(call()).rejects.toMatchObject({ code: "unavailable" });
      expect(await list()).toHaveLength(1);
    }
    await cancel();
    await cancel();
    await remove();
    await remove();
  });

  test("refuses the key, the response contains no detail", async () => {
    const { page } = await openCustomer();
    const url = new URL(await page(prices.pro.month)).origin;
    const wrong = connectBilling({ url, secretKey: "sk_test_wrong", webhookSecret: "whsec_x" });
    const call = wrong.listSubscriptions({ customerId: "cus_x" });
    const failure: unknown = await call.catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "StripeRefusal" });
    expect(String(failure)).not.toContain("sk_test_wrong");
  });
});
