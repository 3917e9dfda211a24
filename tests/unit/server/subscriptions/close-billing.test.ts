import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { users } from "#drizzle/schema.ts";
import type { Billing } from "#server/ports.ts";
import { applyEvent } from "#server/subscriptions/sync.ts";
import { AppError } from "#shared/errors.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { createSubscription } from "#tests/unit/server/support/fake-billing.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { Turns } from "./interleaving.ts";
import { openCustomer, openUser, readSubscriptionRow } from "./support.ts";

const database = createTestDatabase();
const confirmation = { confirmation: "delete" };
const isThere = async (id: string) => (await database().$count(users, eq(users.id, id))) === 1;

async function openPaid() {
  const account = await openUser(database());
  const customerId = await openCustomer(database(), account);
  account.billing
    .getSubscriptions(customerId)
    .push(createSubscription({ id: `sub_${account.user.id}` }));
  await applyEvent(account.services, { id: customerId, type: "invoice.paid", customerId });
  return { ...account, customerId };
}

test("deletes a user without a customer without calling Stripe", async () => {
  const { caller, billing, user } = await openUser(database());
  await caller.auth.deleteAccount(confirmation);
  expect([billing.calls, await isThere(user.id)]).toEqual([[], false]);
});

test("deletes a customer that was created but not stored", async () => {
  const { caller, billing, user } = await openUser(database());
  const make = billing.createCustomer.bind(billing);
  billing.createCustomer = async (input) => {
    await make(input);
    throw new AppError("unavailable");
  };
  expect(await getErrorCode(caller.subscriptions.portal())).toBe("unavailable");
  expect(billing.customers.size).toBe(1);
  expect((await readSubscriptionRow(database(), user.id))?.stripeCustomerId).toBeNull();
  expect((await caller.subscriptions.check()).subscriptionTier).toBe("free");
  await caller.auth.deleteAccount(confirmation);
  expect([billing.customers.size, await isThere(user.id)]).toEqual([0, false]);
});

test.each(["findCustomers", "closeCheckouts", "deleteCustomer"])(
  "deletes nothing and can be retried if %s fails",
  async (name) => {
    const { caller, billing, user } = await openPaid();
    const before = await readSubscriptionRow(database(), user.id);
    billing.failing.set(name, new AppError("unavailable"));
    expect(await getErrorCode(caller.auth.deleteAccount(confirmation))).toBe("unavailable");
    expect(await readSubscriptionRow(database(), user.id)).toEqual(before);
    expect(billing.customers.size).toBe(1);
    billing.failing.clear();
    await caller.auth.deleteAccount(confirmation);
    expect([billing.customers.size, await isThere(user.id)]).toEqual([0, false]);
  },
);

test("leaves an account without a plan that can buy again after an interrupted deletion", async () => {
  const { caller, billing, services, user, customerId } = await openPaid();
  await billing.deleteCustomer({ customerId });
  await applyEvent(services, { id: `${customerId} gone`, type: "customer.deleted", customerId });
  expect(await caller.subscriptions.check()).toMatchObject({ subscriptionTier: "free" });
  await caller.subscriptions.checkout({ priceId: prices.pro.month });
  expect((await readSubscriptionRow(database(), user.id))?.stripeCustomerId).not.toBe(customerId);
});

test("leaves no customer without an account when another tab buys meanwhile", {
  timeout: 120_000,
}, async () => {
  const race = async (isCustomer: boolean, pick: () => number) => {
    const { caller, billing, context, user } = await openUser(database());
    if (isCustomer) await caller.subscriptions.portal();
    const turns = new Turns(pick);
    context.billing = paced(billing, turns);
    const codes: string[] = [];
    const act = (call: () => Promise<unknown>) =>
      turns.start(async () => {
        await turns.turn();
        codes.push(await getErrorCode(call()));
      });
    act(() => caller.auth.deleteAccount(confirmation));
    act(() => caller.subscriptions.checkout({ priceId: prices.pro.month }));
    act(() => caller.subscriptions.checkout({ priceId: prices.premium.month }));
    await turns.run();
    if (!(await isThere(user.id))) expect([...billing.customers.keys()]).toEqual([]);
    return codes.sort().join();
  };
  // Two fixed orders show that the calls overlap: they end differently.
  expect(await race(true, () => 0)).not.toBe(await race(true, () => 5));
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.noShrink(fc.infiniteStream(fc.nat({ max: 999 }))),
      async (isCustomer, picks) => {
        await race(isCustomer, () => picks.next().value ?? 0);
      },
    ),
    { numRuns: countRuns(15) },
  );
});

/** Delays every call and its answer until its turn. */
function paced(billing: Billing, turns: Turns): Billing {
  return new Proxy(billing, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return async (...input: unknown[]) => {
        await turns.turn();
        try {
          return await method.apply(target, input);
        } finally {
          await turns.turn();
        }
      };
    },
  });
}
