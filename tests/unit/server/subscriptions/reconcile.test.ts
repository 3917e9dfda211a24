import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { subscriptions } from "#drizzle/schema.ts";
import { expirePlans, recheckPlans } from "#server/subscriptions/reconcile.ts";
import { AppError } from "#shared/errors.ts";
import { createSubscription } from "#tests/unit/server/support/fake-billing.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { now, openCustomer, openUser, readSubscriptionRow } from "./support.ts";

const database = createTestDatabase();
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

/** A user whose row was updated at `now`, with a period that ends an hour later. */
async function openKnown(over: Partial<typeof subscriptions.$inferInsert> = {}) {
  const account = await openUser(database());
  const customerId = await openCustomer(database(), account);
  const paid = createSubscription({
    id: `sub_${account.user.id}`,
    currentPeriodEnd: hoursLater(1),
  });
  account.billing.getSubscriptions(customerId).push(paid);
  await database()
    .update(subscriptions)
    .set({
      tier: "pro",
      status: "active",
      currentPeriodEnd: paid.currentPeriodEnd,
      stripeSubscriptionId: paid.id,
      checkoutOpenedAt: null,
      syncedAt: now,
      ...over,
    })
    .where(eq(subscriptions.userId, account.user.id));
  account.billing.calls.length = 0;
  const services = (moment: Date) => ({ ...account.services, clock: { now: () => moment } });
  /** The calls to Stripe about this user in a run at `hours`. */
  const countStripeCalls = async (hours: number) => {
    account.billing.calls.length = 0;
    await recheckPlans(services(hoursLater(hours)), hoursLater(hours));
    return account.billing.calls.filter((call) => call.includes(customerId)).length;
  };
  return {
    ...account,
    customerId,
    paid,
    countStripeCalls,
    row: () => readSubscriptionRow(database(), account.user.id),
    live: account.billing.getSubscriptions(customerId),
  };
}

describe("recheckPlans", () => {
  test("queries an overdue renewal after an hour, and each hour until it arrives", async () => {
    const { countStripeCalls, live, paid, row } = await openKnown();
    expect(await countStripeCalls(1.9)).toBe(0);
    expect(await countStripeCalls(2)).toBe(1);
    // A repeated run has nothing to do.
    expect(await countStripeCalls(2)).toBe(0);
    expect(await countStripeCalls(3)).toBe(1);
    live[0] = { ...paid, currentPeriodEnd: hoursLater(720) };
    expect(await countStripeCalls(4)).toBe(1);
    expect(await row()).toMatchObject({ currentPeriodEnd: hoursLater(720) });
    expect(await countStripeCalls(5)).toBe(0);
  });

  test("finds that a cancelled plan has ended", async () => {
    const { countStripeCalls, live, row } = await openKnown({
      status: "cancelled",
      cancelAtPeriodEnd: true,
    });
    live.length = 0;
    expect(await countStripeCalls(2)).toBe(1);
    expect(await row()).toMatchObject({ tier: "free", status: "inactive" });
  });

  test("queries an owed payment once a day", async () => {
    const { countStripeCalls } = await openKnown({
      paymentState: "past_due",
      currentPeriodEnd: hoursLater(500),
    });
    expect(await countStripeCalls(23)).toBe(0);
    expect(await countStripeCalls(24)).toBe(1);
  });

  test("finds the subscription of a checkout without a webhook", async () => {
    const { countStripeCalls, row } = await openKnown({
      tier: "free",
      status: "inactive",
      stripeSubscriptionId: null,
      currentPeriodEnd: null,
      checkoutOpenedAt: now,
      syncedAt: null,
    });
    expect(await countStripeCalls(0.5)).toBe(0);
    expect(await countStripeCalls(1)).toBe(1);
    expect(await row()).toMatchObject({ tier: "pro", status: "active" });
  });

  test("queries an unpaid checkout page for a day", async () => {
    const { countStripeCalls, live } = await openKnown({
      stripeSubscriptionId: null,
      tier: "free",
      status: "inactive",
      checkoutOpenedAt: now,
    });
    live.length = 0;
    expect(await countStripeCalls(25)).toBe(1);
    expect(await countStripeCalls(27)).toBe(0);
  });

  test("continues after one user's failure, but ends the run at an outage", async () => {
    const all = [];
    for (let count = 0; count < 5; count += 1) all.push(await openKnown({ syncedAt: null }));
    const [first] = all;
    if (!first) throw new Error("nobody");
    const { services, billing } = first;
    // A provider that knows none of the users.
    billing.failing.set("listSubscriptions", new Error("garbage"));
    const run = () => recheckPlans(services, hoursLater(2));
    const askAgain = () => database().update(subscriptions).set({ syncedAt: null });
    const garbage = await run();
    expect(garbage.failed).toBeGreaterThanOrEqual(5);
    billing.failing.set("listSubscriptions", new AppError("unavailable"));
    await askAgain();
    expect(await run()).toMatchObject({ rechecked: 0, failed: 3, left: true });
  });

  test("moves users whose query keeps failing to the end", async () => {
    await database().delete(subscriptions);
    const lost = [];
    for (let count = 0; count < 50; count += 1) lost.push((await addUser(database())).id);
    await database()
      .insert(subscriptions)
      .values(
        lost.map((userId) => ({
          ...({ userId, tier: "pro", status: "active", syncedAt: null } as const),
          stripeCustomerId: `cus_lost_${userId}`,
          stripeSubscriptionId: `sub_lost_${userId}`,
          currentPeriodEnd: hoursLater(-24),
        })),
      );
    const { services, billing, customerId } = await openKnown();
    const list = billing.listSubscriptions.bind(billing);
    billing.listSubscriptions = async (input) => {
      if (input.customerId.startsWith("cus_lost")) throw new Error("garbage");
      return list(input);
    };
    const run = (hours: number) => {
      const clock = { now: () => hoursLater(hours) };
      return recheckPlans({ ...services, clock }, hoursLater(hours));
    };
    expect(await run(2)).toEqual({ rechecked: 0, failed: 50, left: true });
    expect(billing.calls).toEqual([]);
    // The others first, the failed ones only in the next hour.
    expect(await run(2.1)).toEqual({ rechecked: 1, failed: 0, left: false });
    expect(billing.calls).toEqual([`listSubscriptions ${customerId}`]);
    expect(await run(3.1)).toMatchObject({ rechecked: 0, failed: 50 });
    expect(await run(3.1)).toMatchObject({ rechecked: 1, failed: 0 });
  });
});

describe("expirePlans", () => {
  test("ends a simulated plan with its month, notifies the user's pages, and is idempotent", async () => {
    const account = await openUser(database());
    const { services, caller, user, changed } = account;
    const { newEndDate } = await caller.subscriptions.simulatePayment({ tier: "pro" });
    const end = new Date(newEndDate);
    changed.length = 0;
    await expirePlans(services, new Date(end.getTime() - 1));
    expect((await readSubscriptionRow(database(), user.id))?.tier).toBe("pro");
    await expirePlans(services, end);
    expect(await readSubscriptionRow(database(), user.id)).toMatchObject({
      tier: "free",
      status: "inactive",
    });
    expect(changed).toContain(user.id);
    expect(await expirePlans(services, end)).toEqual({ expired: 0 });
  });

  test("does not change Stripe's plans", async () => {
    const { services, row } = await openKnown({ status: "cancelled" });
    await expirePlans(services, hoursLater(2));
    expect((await row())?.tier).toBe("pro");
  });
});
