import { describe, expect, test } from "vitest";
import { AppError } from "#shared/errors.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { createSubscription, periodEnd } from "#tests/unit/server/support/fake-billing.ts";
import { createRecordingLimiter } from "#tests/unit/server/support/fake-context.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { openCustomer, openUser, readSubscriptionRow } from "./support.ts";

const database = createTestDatabase();

/** A user with a paid Pro plan. */
async function openPaid(over: Parameters<typeof createSubscription>[0] = {}) {
  const account = await openUser(database());
  const customerId = await openCustomer(database(), account);
  const paid = createSubscription({ id: `sub_of_${account.user.id}`, ...over });
  account.billing.getSubscriptions(customerId).push(paid);
  account.billing.calls.length = 0;
  return {
    ...account,
    customerId,
    paid,
    row: () => readSubscriptionRow(database(), account.user.id),
  };
}

describe("checkout", () => {
  test("creates the customer once and returns a page for the price", async () => {
    const { caller, billing, user } = await openUser(database());
    const first = await caller.subscriptions.checkout({ priceId: prices.pro.month });
    expect(first).toEqual({ kind: "checkout", url: "https://pay.example/0" });
    expect(billing.calls.filter((call) => call.startsWith("createCustomer"))).toHaveLength(1);
    expect((await readSubscriptionRow(database(), user.id))?.checkoutOpenedAt).not.toBeNull();

    // The same button returns the same page; another price closes it.
    expect(await caller.subscriptions.checkout({ priceId: prices.pro.month })).toEqual(first);
    const other = await caller.subscriptions.checkout({ priceId: prices.premium.year });
    expect(other).toEqual({ kind: "checkout", url: "https://pay.example/1" });
    expect(billing.checkouts.map(({ open }) => open)).toEqual([false, true]);
    expect(billing.calls.filter((call) => call.startsWith("createCustomer"))).toHaveLength(1);
  });

  test("creates one customer for two concurrent tabs", async () => {
    const { caller, billing } = await openUser(database());
    const press = () => caller.subscriptions.checkout({ priceId: prices.pro.month });
    await Promise.all([press(), press(), press()]);
    expect(billing.customers.size).toBe(1);
  });

  test("keeps one of two customers that Stripe created nevertheless", async () => {
    const account = await openUser(database());
    const { billing, caller } = account;
    const make = billing.createCustomer.bind(billing);
    let count = 0;
    billing.createCustomer = (input) => {
      count += 1;
      return make({ ...input, key: `${input.key} ${count}` });
    };
    const press = () => caller.subscriptions.portal();
    const pages = await Promise.all([press(), press()]);
    expect(new Set(pages.map(({ url }) => url)).size).toBe(1);
    expect([...billing.customers.keys()]).toEqual([
      (await readSubscriptionRow(database(), account.user.id))?.stripeCustomerId,
    ]);
  });

  test("creates a customer again after its deletion at Stripe, with another key", async () => {
    const account = await openUser(database());
    const customerId = await openCustomer(database(), account);
    account.billing.customers.delete(customerId);
    const { url } = await account.caller.subscriptions.portal();
    expect(url).not.toContain(customerId);
    const row = await readSubscriptionRow(database(), account.user.id);
    expect(url).toContain(row?.stripeCustomerId);
  });

  test("refuses an unknown price without calling Stripe", async () => {
    const { caller, billing } = await openUser(database());
    expect(await getErrorCode(caller.subscriptions.checkout({ priceId: "price_other" }))).toBe(
      "validation_failed",
    );
    expect(billing.calls).toEqual([]);
  });

  test("refuses too many calls without calling Stripe", async () => {
    const account = await openUser(database());
    const { user, context, billing } = account;
    context.limits.billing = createRecordingLimiter([`user:${user.id}`]);
    const { checkout, portal, downgrade, resume } = account.caller.subscriptions;
    for (const call of [checkout({ priceId: prices.pro.month }), portal(), downgrade(), resume()])
      expect(await getErrorCode(call)).toBe("rate_limited");
    expect(billing.calls).toEqual([]);
  });
});

describe("with a paid plan", () => {
  test("upgrades the subscription without a page", async () => {
    const { caller, billing, paid, row, changed, user } = await openPaid();
    const result = await caller.subscriptions.checkout({
      priceId: prices.premium.month,
      change: true,
    });
    expect(result).toEqual({ kind: "changed", tier: "premium", interval: "month" });
    expect(billing.calls).toContain(`changePrice ${paid.id} ${prices.premium.month}`);
    expect(billing.checkouts).toHaveLength(1);
    expect(await row()).toMatchObject({ tier: "premium", status: "active", interval: "month" });
    expect(changed).toContain(user.id);
  });

  test("changes from monthly to annual payment", async () => {
    const { caller, row } = await openPaid();
    await caller.subscriptions.checkout({ priceId: prices.pro.year, change: true });
    expect(await row()).toMatchObject({ tier: "pro", interval: "year" });
  });

  test("does not buy the same plan again, but resumes one that would end", async () => {
    const { caller, billing, paid } = await openPaid();
    await caller.subscriptions.checkout({ priceId: prices.pro.month, change: true });
    expect(billing.calls.filter((call) => /^(change|set|create)/.test(call))).toEqual([]);
    await caller.subscriptions.downgrade();
    await caller.subscriptions.checkout({ priceId: prices.pro.month, change: true });
    expect(billing.calls).toContain(`setCancelAtPeriodEnd ${paid.id} false`);
    expect(await caller.subscriptions.check()).toMatchObject({ subscriptionStatus: "active" });
  });

  test("changes nothing if the card is refused", async () => {
    const { caller, billing, row } = await openPaid();
    billing.failing.set("changePrice", new AppError("payment_failed"));
    const call = caller.subscriptions.checkout({ priceId: prices.premium.month, change: true });
    expect(await getErrorCode(call)).toBe("payment_failed");
    expect((await row())?.tier).toBe("free");
  });

  test.each([prices.premium.month, prices.pro.month])(
    "changes nothing for an outdated page and notifies it: %s",
    async (priceId) => {
      const { caller, billing } = await openPaid();
      expect((await caller.subscriptions.check()).subscribed).toBe(false);
      expect(await getErrorCode(caller.subscriptions.checkout({ priceId }))).toBe("conflict");
      expect(billing.calls.filter((call) => /^(change|set|create)/.test(call))).toEqual([]);
      // No webhook has arrived, and the page reads the plan that it must confirm.
      expect(await caller.subscriptions.check()).toMatchObject({
        subscriptionTier: "pro",
        subscribed: true,
      });
    },
  );

  test.each(["past_due", "unpaid"] as const)(
    "refuses a purchase while the plan is %s",
    async (status) => {
      const { caller, billing } = await openPaid({ status });
      for (const change of [true, false]) {
        const call = caller.subscriptions.checkout({ priceId: prices.premium.month, change });
        expect(await getErrorCode(call)).toBe("payment_failed");
      }
      expect(billing.checkouts).toHaveLength(1);
    },
  );

  test("replaces a paused plan by the bought one", async () => {
    const { caller, billing, paid, customerId } = await openPaid({ status: "paused" });
    const result = await caller.subscriptions.checkout({ priceId: prices.pro.month });
    expect(result.kind).toBe("checkout");
    expect(billing.calls).toContain(`cancelNow ${paid.id} no credit`);
    expect(await billing.listSubscriptions({ customerId })).toEqual([]);
  });

  test("accepts a change that Stripe made even if it cannot be read back", async () => {
    const { caller, billing, events } = await openPaid();
    const change = billing.changePrice.bind(billing);
    billing.changePrice = async (input) => {
      await change(input);
      billing.failing.set("listSubscriptions", new AppError("unavailable"));
    };
    const result = await caller.subscriptions.checkout({
      priceId: prices.premium.month,
      change: true,
    });
    expect(result.kind).toBe("changed");
    expect(events()).toContain("billing_sync_failed");
  });

  test("ends the plan with its period at a downgrade, also a repeated one, and resumes it", async () => {
    const { caller, billing, row, paid } = await openPaid();
    await caller.subscriptions.downgrade();
    await caller.subscriptions.downgrade();
    expect(billing.calls.filter((call) => call.startsWith("setCancel"))).toEqual([
      `setCancelAtPeriodEnd ${paid.id} true`,
    ]);
    expect(await row()).toMatchObject({ status: "cancelled", currentPeriodEnd: periodEnd });
    expect(await caller.subscriptions.check()).toMatchObject({
      subscriptionTier: "pro",
      subscriptionStatus: "cancelled",
      subscribed: true,
      cancelAtPeriodEnd: true,
      subscriptionEnd: periodEnd.toISOString(),
    });
    await caller.subscriptions.resume();
    await caller.subscriptions.resume();
    expect(await row()).toMatchObject({ status: "active", cancelAtPeriodEnd: false });
  });

  test("ends an unpaid plan at once", async () => {
    const { caller, billing, paid } = await openPaid({ status: "unpaid" });
    await caller.subscriptions.downgrade();
    expect(billing.calls).toContain(`cancelNow ${paid.id} no credit`);
  });
});

test("cannot end or resume without a paid plan", async () => {
  const { caller } = await openUser(database());
  expect(await getErrorCode(caller.subscriptions.downgrade())).toBe("conflict");
  expect(await getErrorCode(caller.subscriptions.resume())).toBe("conflict");
});

test("returns from the portal to the profile", async () => {
  const account = await openUser(database());
  const customerId = await openCustomer(database(), account);
  await account.caller.subscriptions.portal();
  expect(account.billing.calls).toContain(`openPortal ${customerId} https://dualect.test/profile`);
});
