import fc from "fast-check";
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { day, openShop, type Shop } from "./shop.ts";

const prices = [
  "price_pro_monthly",
  "price_pro_annual",
  "price_premium_monthly",
  "price_premium_annual",
] as const;

let shop: Shop;
beforeAll(async () => {
  // The day on which most months go wrong.
  shop = await openShop({ start: "2027-01-31T22:00:00.000Z" });
});
afterAll(() => shop.close());

const which = fc.nat(2);
const step = fc.oneof(
  fc.record({ does: fc.constant("subscribe" as const), price: fc.constantFrom(...prices) }),
  fc.record({
    does: fc.constant("change" as const),
    which,
    price: fc.constantFrom(...prices),
    proration: fc.constantFrom("create_prorations", "always_invoice", "none"),
    payment: fc.constantFrom("allow_incomplete", "error_if_incomplete"),
  }),
  fc.record({ does: fc.constant("end with the period" as const), which, wanted: fc.boolean() }),
  fc.record({ does: fc.constant("end by the portal" as const), which, wanted: fc.boolean() }),
  fc.record({ does: fc.constant("cancel" as const), which, credit: fc.boolean() }),
  fc.record({ does: fc.constant("card" as const), declines: fc.boolean() }),
  fc.record({ does: fc.constant("pay" as const) }),
  fc.record({ does: fc.constant("wait" as const), days: fc.integer({ min: 0, max: 90 }) }),
  fc.record({ does: fc.constant("wait" as const), days: fc.integer({ min: 300, max: 800 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface World {
  customer: string;
  portal: string;
}

/** Refusals are answers too: what must hold does so after them as well. */
const attempt = (call: Promise<unknown>) =>
  call.catch((error) => expect(error.type).toMatch(/^Stripe/));

async function take({ customer, portal }: World, taken: Step): Promise<void> {
  const { stripe } = shop;
  if (taken.does === "subscribe") {
    const { url } = await stripe.checkout.sessions.create({
      ...{ mode: "subscription", customer, success_url: "https://dualect.test/" },
      line_items: [{ price: taken.price, quantity: 1 }],
    });
    await shop.post(url ?? "", { action: "pay" });
  } else if (taken.does === "card") {
    await shop.post(portal, { action: taken.declines ? "bad-card" : "good-card" });
  } else if (taken.does === "wait") {
    await shop.later(taken.days * day, { settle: undefined });
  } else if (taken.does === "pay") {
    const [open] = (await stripe.invoices.list({ customer, status: "open" })).data;
    if (open) await attempt(stripe.invoices.pay(open.id ?? ""));
  } else {
    const all = (await stripe.subscriptions.list({ customer, status: "all", limit: 100 })).data;
    const one = all[taken.which];
    if (one) await act(one, portal, taken);
  }
}

async function act(
  { id, items }: Stripe.Subscription,
  portal: string,
  taken: Extract<Step, { which: number }>,
): Promise<void> {
  const { subscriptions } = shop.stripe;
  if (taken.does === "change")
    await attempt(
      subscriptions.update(id, {
        items: [{ id: items.data[0]?.id ?? "", price: taken.price }],
        proration_behavior: taken.proration,
        payment_behavior: taken.payment,
      }),
    );
  else if (taken.does === "end with the period")
    await attempt(subscriptions.update(id, { cancel_at_period_end: taken.wanted }));
  else if (taken.does === "end by the portal")
    await shop.post(portal, { action: taken.wanted ? "cancel" : "resume", subscription: id });
  else
    await attempt(subscriptions.cancel(id, { prorate: taken.credit, invoice_now: taken.credit }));
}

async function everything(customer: string) {
  const { stripe } = shop;
  const all = { limit: 1_000 };
  return {
    account: (await stripe.customers.retrieve(customer)) as Stripe.Customer,
    now: Date.parse(String((await shop.order({})).now)) / 1_000,
    subscriptions: (await stripe.subscriptions.list({ customer, status: "all", limit: 100 })).data,
    invoices: await stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray(all),
    events: await stripe.events
      .list({ type: "customer.subscription.*", limit: 100 })
      .autoPagingToArray(all),
  };
}
type Everything = Awaited<ReturnType<typeof everything>>;

function check({ account, now, subscriptions, invoices, events }: Everything): void {
  for (const subscription of subscriptions) {
    const own = invoices.filter(
      ({ parent }) => parent?.subscription_details?.subscription === subscription.id,
    );
    checkSubscription(subscription, own, now);
    // Newest first: the last that was told is how it is.
    const told = events.find(({ data }) => (data.object as { id: string }).id === subscription.id);
    // Old events are forgotten: of one that ended long ago there may be none left.
    if (told) expect(told.data.object).toEqual(JSON.parse(JSON.stringify(subscription)));
    else expect(subscription.ended_at).not.toBeNull();
  }
  let credit = 0;
  for (const invoice of invoices.toReversed()) {
    const { lines, total, amount_due: due, amount_paid: paid, status } = invoice;
    expect(lines.data.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
    expect(due).toBeGreaterThanOrEqual(0);
    if (status === "draft") continue;
    expect(invoice.starting_balance).toBe(credit);
    credit += total - due;
    expect(invoice.ending_balance).toBe(credit);
    expect(paid).toBe(status === "paid" ? due : 0);
  }
  expect(account.balance).toBe(credit);
  expect(credit).toBeLessThanOrEqual(0);
}

function checkSubscription(
  subscription: Stripe.Subscription,
  invoices: Stripe.Invoice[],
  now: number,
): void {
  const { status, billing_cycle_anchor: anchor, items } = subscription;
  expect(items.data).toHaveLength(1);
  const [item] = items.data;
  if (!item) return;
  const { current_period_start: start, current_period_end: end } = item;
  expect(isTurn(anchor, start) && isTurn(anchor, end)).toBe(true);
  const months = monthOf(end) - monthOf(start);
  expect(months).toBe(item.price.recurring?.interval === "year" ? 12 : 1);
  const open = invoices.filter((one) => one.status === "open");
  // Nothing is charged for the same period twice.
  const cycles = invoices.filter((one) => one.billing_reason === "subscription_cycle");
  expect(new Set(cycles.map(({ period_start: from }) => from)).size).toBe(cycles.length);
  if (status === "canceled") {
    expect(subscription.ended_at).toBeLessThanOrEqual(now);
    expect(open.every((one) => one.next_payment_attempt === null)).toBe(true);
    return;
  }
  expect(subscription.ended_at).toBeNull();
  expect(start).toBeLessThanOrEqual(now);
  expect(end).toBeGreaterThan(now);
  expect(status).toBe(open.length === 0 ? "active" : "past_due");
  if (subscription.cancel_at_period_end) expect(subscription.cancel_at).toBe(end);
  if (subscription.cancel_at !== null) expect(subscription.cancel_at).toBeGreaterThan(now);
}

const monthOf = (second: number) => {
  const date = new Date(second * 1_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** At the anchor's time of day, on its day of the month or on the last one of a month without it. */
function isTurn(anchor: number, second: number): boolean {
  const [from, to] = [new Date(anchor * 1_000), new Date(second * 1_000)];
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  return (
    to.getUTCDate() === Math.min(from.getUTCDate(), last) &&
    from.toISOString().slice(10) === to.toISOString().slice(10)
  );
}

test("whatever happens to a customer, the books are right", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (history) => {
      await shop.order({ reset: true, webhookTypes: [] });
      const { id } = await shop.stripe.customers.create({ email: "reader@example.org" });
      const { url } = await shop.stripe.billingPortal.sessions.create({ customer: id });
      const world = { customer: id, portal: url };
      await take(world, { does: "subscribe", price: "price_pro_monthly" });
      for (const taken of history) {
        await take(world, taken);
        check(await everything(id));
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);
