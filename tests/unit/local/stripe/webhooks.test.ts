import Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { day, openShop, type Shop } from "./shop.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

interface Report {
  held: { id: string; type: string; customer: string }[];
  attempts: { id: string; type: string; status: number | null }[];
  underway: number;
  forged?: number | null;
}
const report = (order: object) => shop.order(order) as unknown as Promise<Report>;
const ids = () => shop.deliveries.map(({ body }) => (JSON.parse(body) as Stripe.Event).id);

test("are signed as the client verifies them, and tell of a purchase", async () => {
  await shop.subscribe();
  await shop.order({ settle: true });
  const events = await Promise.all(shop.deliveries.map((delivery) => shop.verified(delivery)));
  expect(events.map(({ type }) => type).sort()).toEqual([
    "checkout.session.completed",
    "customer.subscription.created",
    "customer.subscription.updated",
    "invoice.paid",
  ]);
  const updated = events.find(({ type }) => type === "customer.subscription.updated");
  expect(updated?.data).toMatchObject({
    object: { status: "active" },
    previous_attributes: { status: "incomplete", latest_invoice: null },
  });
});

test("carry the real time in their signature, whatever the clock was set to", async () => {
  const { customer } = await shop.subscribe();
  await shop.later(365 * day, { customer: customer.id });
  const last = shop.deliveries.at(-1);
  if (!last) throw new Error("nothing was delivered");
  await expect(shop.verified(last)).resolves.toMatchObject({ object: "event" });
});

test("come again with back-off until they are taken, signed anew", async () => {
  shop.webhook.answer = 500;
  await shop.order({ webhookTypes: ["customer.created"] });
  await shop.stripe.customers.create({ name: "N" });
  for (const pause of [250, 1_000]) {
    await shop.waits.until(pause);
    shop.time.now = new Date(shop.time.now.getTime() + 600_000);
    shop.waits.pass(pause);
  }
  await shop.waits.until(4_000);
  expect((await shop.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  shop.webhook.answer = 204;
  shop.waits.pass(4_000);
  const { attempts } = await report({ settle: true });
  expect(attempts.map(({ status }) => status)).toEqual([500, 500, 500, 204]);
  expect(new Set(ids()).size).toBe(1);
  expect(new Set(shop.deliveries.map(({ signature }) => signature)).size).toBe(3);
  const [event] = (await shop.stripe.events.list({ delivery_success: true })).data;
  expect(event?.pending_webhooks).toBe(0);
});

test("held ones are released in reverse, in a given order, and so many times", async () => {
  await shop.order({ webhooks: { hold: true } });
  await shop.subscribe();
  const { held } = await report({ settle: true });
  expect(shop.deliveries).toEqual([]);
  expect(held.map(({ type }) => type)).toEqual([
    "customer.subscription.created",
    "invoice.paid",
    "customer.subscription.updated",
    "checkout.session.completed",
  ]);
  const order = held.map(({ id }) => id);
  await report({ release: { order: "reversed", repeat: 2 } });
  expect(ids()).toEqual(order.toReversed().flatMap((id) => [id, id]));

  await shop.order({ webhooks: { hold: true } });
  await shop.subscribe();
  const again = (await report({})).held.map(({ id }) => id);
  const [first, second, third, fourth] = again;
  await report({ release: { order: [third, first] } });
  expect(ids().slice(8)).toEqual([third, first, second, fourth]);
  await report({ resend: first ?? "" });
  expect(ids().at(-1)).toBe(first);
});

test("rules are for one customer, one type, so many events", async () => {
  const one = await shop.openCheckout();
  const other = await shop.openCheckout();
  await shop.order({ customer: one.customer.id, webhooks: { type: "invoice.", drop: true } });
  await shop.order({ customer: one.customer.id, webhooks: { type: "checkout", repeat: 3 } });
  await shop.order({ customer: other.customer.id, webhooks: { hold: true, count: 1 } });
  await shop.post(one.page, { action: "pay" });
  await shop.post(other.page, { action: "pay" });
  const { held } = await report({ settle: true });
  expect(held).toMatchObject([
    { type: "customer.subscription.created", customer: other.customer.id },
  ]);
  const count = (type: string) => shop.types().filter((one) => one === type).length;
  expect(count("invoice.paid")).toBe(1);
  expect(count("checkout.session.completed")).toBe(4);
  expect(count("customer.subscription.created")).toBe(1);
});

test("wait as long as they are told to", async () => {
  await shop.order({ webhooks: { delayMs: 77, type: "customer.created" }, webhookTypes: ["*"] });
  await shop.stripe.customers.create({ name: "N" });
  await shop.waits.until(77);
  expect(shop.deliveries).toEqual([]);
  shop.waits.pass(77);
  await shop.order({ settle: true });
  expect(shop.types()).toEqual(["customer.created"]);
});

test.each(["signature", "altered", "old", "future"])("a forged one: %s", async (how) => {
  await shop.subscribe();
  await report({ settle: true });
  shop.webhook.answer = 418;
  const { forged } = await report({ forge: { how } });
  expect(forged).toBe(418);
  const delivery = shop.deliveries.at(-1);
  if (!delivery) throw new Error("nothing was sent");
  if (how === "future") {
    // The client takes these: whoever uses it has to look at the time.
    const at = Number(/^t=(\d+),/.exec(delivery.signature)?.[1]);
    expect(at).toBe(Math.floor(shop.time.now.getTime() / 1_000) + 1_800);
    return;
  }
  await expect(shop.verified(delivery)).rejects.toBeInstanceOf(
    Stripe.errors.StripeSignatureVerificationError,
  );
});

test("what had nowhere to go is sent once the address is known", async () => {
  await shop.close();
  shop = await openShop({ withoutWebhook: true });
  await shop.subscribe();
  expect((await report({ settle: true })).attempts).toEqual([]);
  await shop.order({ webhookUrl: shop.receiverUrl, settle: true });
  expect(shop.types()).toContain("checkout.session.completed");
});

test.each([
  [{ nope: 1 }, 422],
  [{ advanceSeconds: -1 }, 422],
  [{ webhooks: { repeat: 0 } }, 422],
  [{ calls: { fail: 200 } }, 422],
  [{ resend: "evt_nothing" }, 404],
  [{ forge: { how: "old" } }, 404],
  [{ card: { customer: "cus_nobody", declines: true } }, 404],
])("the control refuses %j with %i", async (body, status) => {
  const response = await fetch(`${shop.url}/stripe/control`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});
