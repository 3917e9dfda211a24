import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { webhookEvents } from "#drizzle/schema.ts";
import { applyEvent, syncUser } from "#server/subscriptions/sync.ts";
import { AppError } from "#shared/errors.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { createSubscription } from "#tests/unit/server/support/fake-billing.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { openCustomer, openUser, readSubscriptionRow } from "./support.ts";

const database = createTestDatabase();

const isKept = async (id: string) =>
  (await database().$count(webhookEvents, eq(webhookEvents.id, id))) === 1;

async function open() {
  const account = await openUser(database());
  const customerId = await openCustomer(database(), account);
  account.billing.calls.length = 0;
  const event = (type = "customer.subscription.updated", id = `evt_${crypto.randomUUID()}`) => ({
    id,
    type,
    customerId,
  });
  const live = account.billing.getSubscriptions(customerId);
  return {
    ...account,
    customerId,
    event,
    live,
    paid: createSubscription({ id: `sub_${account.user.id}` }),
    row: () => readSubscriptionRow(database(), account.user.id),
  };
}

describe("an event", () => {
  test("updates the row from Stripe, is stored, and notifies the user's pages", async () => {
    const { services, event, live, paid, row, changed, user } = await open();
    live.push(paid);
    const one = event();
    await applyEvent(services, one);
    expect(await row()).toMatchObject({
      tier: "pro",
      status: "active",
      stripeSubscriptionId: paid.id,
      syncedAt: services.clock.now(),
    });
    expect(await isKept(one.id)).toBe(true);
    expect(changed).toEqual([user.id]);
  });

  test("has no effect when it is repeated", async () => {
    const { services, event, live, paid, row, billing, changed } = await open();
    live.push(paid);
    const one = event();
    await applyEvent(services, one);
    const before = await row();
    live.length = 0;
    billing.calls.length = 0;
    await applyEvent(services, one);
    expect(await row()).toEqual(before);
    expect(billing.calls).toEqual([]);
    expect(changed).toHaveLength(1);
  });

  test("of an unknown or no customer changes nothing and is logged", async () => {
    const { services, event, billing, events, logged } = await open();
    const stray = { ...event(), customerId: "cus_of_nobody" };
    await applyEvent(services, stray);
    await applyEvent(services, { ...event(), customerId: null });
    expect(billing.calls).toEqual([]);
    expect(events()).toEqual(
      expect.arrayContaining(["billing_customer_unknown", "billing_event_ignored"]),
    );
    expect(await isKept(stray.id)).toBe(false);
    await applyEvent(services, { ...stray, type: "invoice.paid" });
    expect(logged.at(-1)).toMatchObject({ level: "error", event: "billing_customer_unknown" });
  });

  test("is not stored while Stripe does not answer, and applies when it is repeated", async () => {
    const { services, event, live, paid, row, billing } = await open();
    live.push(paid);
    const one = event();
    billing.failing.set("listSubscriptions", new AppError("unavailable"));
    expect(await getErrorCode(applyEvent(services, one))).toBe("unavailable");
    expect([await isKept(one.id), (await row())?.tier]).toEqual([false, "free"]);
    billing.failing.clear();
    await applyEvent(services, one);
    expect([await isKept(one.id), (await row())?.tier]).toEqual([true, "pro"]);
  });

  test("is not stored if the row cannot be written", async () => {
    const { services, event, live, paid, row } = await open();
    // Another user's row already has the subscription, so the update violates a constraint.
    const other = await open();
    other.live.push(paid);
    await applyEvent(other.services, other.event());
    live.push(paid);
    const one = event();
    expect(await getErrorCode(applyEvent(services, one))).not.toBe("no error");
    expect([await isKept(one.id), (await row())?.tier]).toEqual([false, "free"]);
  });

  test("about another product's subscription is logged as an error and grants nothing", async () => {
    const { services, event, live, row, logged } = await open();
    live.push(createSubscription({ priceId: "price_x", productId: "prod_x" }));
    await applyEvent(services, event());
    expect((await row())?.tier).toBe("free");
    expect(logged).toContainEqual(
      expect.objectContaining({ level: "error", event: "billing_product_unknown" }),
    );
  });
});

describe("concurrent events", () => {
  test("do not overwrite a later answer of Stripe by an earlier one", async () => {
    const { services, event, live, paid, row, billing } = await open();
    live.push(paid);
    const list = billing.listSubscriptions.bind(billing);
    const [first, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    billing.listSubscriptions = async (input) => {
      const answer = await list(input);
      billing.listSubscriptions = list;
      first.resolve();
      await late.promise;
      return answer;
    };
    const slow = applyEvent(services, event());
    await first.promise;
    live[0] = { ...paid, priceId: prices.premium.month, productId: prices.premium.product };
    await applyEvent(services, event());
    late.resolve();
    await slow;
    expect(await row()).toMatchObject({ tier: "premium" });
  });

  test("that are the same are stored once", async () => {
    const { services, event, live, paid, row } = await open();
    live.push(paid);
    const one = event();
    await Promise.all([applyEvent(services, one), applyEvent(services, one)]);
    expect([await isKept(one.id), (await row())?.tier]).toEqual([true, "pro"]);
  });
});

describe("two live subscriptions", () => {
  async function openTwice() {
    const account = await open();
    const second = createSubscription({
      id: `sub_second_${account.user.id}`,
      createdAt: new Date("2026-11-20T12:00:05.000Z"),
      priceId: prices.premium.month,
      productId: prices.premium.product,
    });
    account.live.push(account.paid, second);
    return { ...account, second };
  }

  test("leave the newer one; the older ends and is credited", async () => {
    const { services, event, row, billing, paid, second, user } = await openTwice();
    await applyEvent(services, event("checkout.session.completed"));
    expect(await row()).toMatchObject({ tier: "premium", stripeSubscriptionId: second.id });
    expect(billing.calls).toContain(`cancelNow ${paid.id} credit`);
    expect(await billing.listSubscriptions({ customerId: `cus_${user.id}_1` })).toHaveLength(1);
  });

  test.each(["past_due", "unpaid", "trialing"] as const)(
    "end the older one without credit if it is %s",
    async (status) => {
      const { services, event, live, billing, paid } = await openTwice();
      live[0] = { ...paid, status };
      await applyEvent(services, event());
      expect(billing.calls).toContain(`cancelNow ${paid.id} no credit`);
    },
  );

  test("are prevented by closing open pages at the first payment", async () => {
    const { services, event, live, paid, billing } = await open();
    live.push(paid);
    expect(billing.checkouts[0]?.open).toBe(true);
    await applyEvent(services, event("checkout.session.completed"));
    expect(billing.checkouts[0]?.open).toBe(false);
  });

  test("keep the plan while the older one cannot be ended, and the event is repeated", async () => {
    const { services, event, row, billing, second } = await openTwice();
    const one = event("checkout.session.completed");
    billing.failing.set("cancelNow", new AppError("unavailable"));
    expect(await getErrorCode(applyEvent(services, one))).toBe("unavailable");
    expect(await row()).toMatchObject({ tier: "premium" });
    expect(await isKept(one.id)).toBe(false);
    billing.failing.clear();
    await applyEvent(services, one);
    const { customerId } = one;
    const left = await billing.listSubscriptions({ customerId });
    expect(left.map(({ id }) => id)).toEqual([second.id]);
    expect(await isKept(one.id)).toBe(true);
  });

  test("leave one if two webhooks are handled at once", async () => {
    const { services, event, row, billing, second, customerId } = await openTwice();
    await Promise.all([applyEvent(services, event()), applyEvent(services, event())]);
    const left = await billing.listSubscriptions({ customerId });
    expect(left.map(({ id }) => id)).toEqual([second.id]);
    expect(await row()).toMatchObject({ stripeSubscriptionId: second.id });
  });
});

test("keeps the customer and sets Free after a subscription has ended", async () => {
  const { services, event, live, paid, row, customerId } = await open();
  live.push(paid);
  await applyEvent(services, event());
  live.length = 0;
  await applyEvent(services, event("customer.subscription.deleted"));
  expect(await row()).toMatchObject({
    tier: "free",
    status: "inactive",
    currentPeriodEnd: null,
    stripeSubscriptionId: null,
    stripeCustomerId: customerId,
  });
});

test("keeps a simulated plan that Stripe does not know", async () => {
  const { services, caller, row, user } = await open();
  await caller.subscriptions.simulatePayment({ tier: "premium" });
  const before = await row();
  await syncUser(services, user.id);
  expect(await row()).toMatchObject({
    tier: "premium",
    currentPeriodEnd: before?.currentPeriodEnd,
  });
});
