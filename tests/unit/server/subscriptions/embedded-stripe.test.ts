import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { toAppError } from "#server/errors.ts";
import { selectLiveSubscription, toStripePlan } from "#server/subscriptions/plan-from-stripe.ts";
import { applyEvent } from "#server/subscriptions/sync.ts";
import { getHttpStatus } from "#shared/errors.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createEmbeddedStripe } from "#tests/unit/server/support/embedded-stripe.ts";
import { createFakeContext } from "#tests/unit/server/support/fake-context.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { openUser, readSubscriptionRow } from "./support.ts";

const database = createTestDatabase();
const stripe = createEmbeddedStripe();
const daySeconds = 86_400;

/** Verifies and applies webhooks like the worker. */
beforeAll(() => {
  stripe.onWebhook(async (body, signature) => {
    const { context } = createFakeContext(database(), { billing: stripe.billing() });
    try {
      const event = await context.billing.readEvent({ body, signature, now: new Date() });
      await applyEvent(context, event);
      return 200;
    } catch (error) {
      return getHttpStatus(toAppError(error).code);
    }
  });
});

/** Steps of a user, their card and time; an impossible step is refused without effect. */
const steps = [
  "upgrade",
  "yearly",
  "downgrade",
  "resume",
  "card fails",
  "card pays",
  "month",
] as const;
type Step = (typeof steps)[number];

async function open() {
  const account = await openUser(database(), { billing: stripe.billing() });
  const { caller, user } = account;
  const { checkout, downgrade, resume } = caller.subscriptions;
  const buy = async (priceId: string) => {
    const result = await checkout({ priceId, change: true });
    if (result.kind === "checkout") await stripe.press(result.url, { action: "pay" });
  };
  const customer = async () => {
    const row = await readSubscriptionRow(database(), user.id);
    if (!row?.stripeCustomerId) throw new Error("no customer");
    return row.stripeCustomerId;
  };
  const card = async (declines: boolean) =>
    stripe.control({ card: { customer: await customer(), declines } });
  const take: Record<Step, () => Promise<unknown>> = {
    upgrade: () => buy(prices.premium.month),
    yearly: () => buy(prices.pro.year),
    downgrade: () => downgrade(),
    resume: () => resume(),
    "card fails": () => card(true),
    "card pays": () => card(false),
    month: async () =>
      stripe.control({ customer: await customer(), advanceSeconds: 31 * daySeconds }),
  };
  const walk = async (walked: readonly Step[]) => {
    for (const step of walked) await take[step]().catch(() => {});
  };
  /** The row without ids and times that differ between users. */
  const readPlan = async () => {
    const row = await readSubscriptionRow(database(), user.id);
    const { tier, status, interval, cancelAtPeriodEnd, paymentState } = row ?? {};
    return { tier, status, interval, cancelAtPeriodEnd, paymentState };
  };
  return { ...account, buy, customer, walk, readPlan };
}

test("delayed, reordered and repeated webhooks lead to the same state as ordered ones", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat({ max: 999 })),
      fc.integer({ min: 1, max: 3 }),
      async (walked, picks, repeat) => {
        const ordered = await open();
        await ordered.buy(prices.pro.month);
        await stripe.control({ settle: true });
        for (const step of walked) {
          await ordered.walk([step]);
          await stripe.control({ settle: true });
        }

        const shuffled = await open();
        const first = await shuffled.caller.subscriptions.checkout({ priceId: prices.pro.month });
        const customer = await shuffled.customer();
        await stripe.control({ customer, webhooks: { hold: true } });
        if (first.kind === "checkout") await stripe.press(first.url, { action: "pay" });
        await shuffled.walk(walked);
        const { held } = await stripe.control({});
        const order = held
          .filter((event) => event.customer === customer)
          .map(({ id }) => ({ id, rank: picks.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ id }) => id);
        expect(order.length).toBeGreaterThan(0);
        await stripe.control({ customer, release: { order, repeat }, settle: true });

        expect(await shuffled.readPlan()).toEqual(await ordered.readPlan());
        for (const one of [ordered, shuffled]) {
          const customerId = await one.customer();
          const found = await stripe.billing().listSubscriptions({ customerId });
          const { kept, surplus } = selectLiveSubscription(found, prices);
          expect(surplus).toEqual([]);
          expect(await readSubscriptionRow(database(), one.user.id)).toMatchObject(
            toStripePlan(kept),
          );
        }
      },
    ),
    { numRuns: countRuns(6) },
  );
});

test("two paid checkout pages leave one subscription and a credit for the other", async () => {
  const { caller, user, customer, readPlan } = await open();
  await caller.subscriptions.portal();
  const customerId = await customer();
  const page = (priceId: string) =>
    stripe.billing().createCheckout({
      ...{ customerId, userId: user.id, priceId },
      successUrl: "https://dualect.test/profile?checkout=success",
      cancelUrl: "https://dualect.test/profile?checkout=cancel",
    });
  const pages = [await page(prices.pro.month), await page(prices.premium.month)];
  await stripe.control({ customer: customerId, webhooks: { hold: true } });
  await Promise.all(pages.map((url) => stripe.press(url, { action: "pay" })));
  expect(await stripe.billing().listSubscriptions({ customerId })).toHaveLength(2);
  await stripe.control({ customer: customerId, release: {}, settle: true });
  const [left, ...others] = await stripe.billing().listSubscriptions({ customerId });
  expect(others).toEqual([]);
  expect(await readSubscriptionRow(database(), user.id)).toMatchObject({
    stripeSubscriptionId: left?.id,
    status: "active",
  });
  expect((await readPlan()).tier).not.toBe("free");
});

test("a failed renewal keeps the plan and reports it, until Stripe gives up", async () => {
  const { caller, buy, customer } = await open();
  await buy(prices.pro.month);
  const customerId = await customer();
  const pass = (seconds: number) =>
    stripe.control({ customer: customerId, advanceSeconds: seconds, settle: true });
  await stripe.control({ settle: true });
  const check = () => caller.subscriptions.check();
  expect(await check()).toMatchObject({ subscriptionTier: "pro", paymentState: "ok" });
  await stripe.control({ card: { customer: customerId, declines: true } });
  await pass(32 * daySeconds);
  expect(await check()).toMatchObject({ subscriptionTier: "pro", paymentState: "past_due" });
  await pass(30 * daySeconds);
  expect(await check()).toMatchObject({ subscriptionTier: "free", paymentState: "ok" });
});
