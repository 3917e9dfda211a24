import { beforeAll, expect, test } from "vitest";
import { toAppError } from "#server/errors.ts";
import { applyEvent } from "#server/subscriptions/sync.ts";
import { getHttpStatus } from "#shared/errors.ts";
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

async function open() {
  const account = await openUser(database(), { billing: stripe.billing() });
  const buy = async (priceId: string) => {
    const result = await account.caller.subscriptions.checkout({ priceId, change: true });
    if (result.kind === "checkout") await stripe.press(result.url, { action: "pay" });
  };
  const row = () => readSubscriptionRow(database(), account.user.id);
  const customer = async () => (await row())?.stripeCustomerId ?? "";
  return { ...account, buy, row, customer };
}

test("a plan is bought, changed, ended with its period and resumed", async () => {
  const { buy, caller, row } = await open();
  const settle = () => stripe.control({ settle: true });
  await buy(prices.pro.month);
  await settle();
  expect(await row()).toMatchObject({ tier: "pro", interval: "month", status: "active" });
  await buy(prices.premium.year);
  await settle();
  expect(await row()).toMatchObject({ tier: "premium", interval: "year", status: "active" });
  await caller.subscriptions.downgrade();
  await settle();
  expect(await row()).toMatchObject({ tier: "premium", status: "cancelled" });
  await caller.subscriptions.resume();
  await settle();
  expect(await row()).toMatchObject({ tier: "premium", status: "active" });
});

test("two paid checkout pages leave one subscription and a credit for the other", async () => {
  const { caller, user, customer, row } = await open();
  await caller.subscriptions.portal();
  const customerId = await customer();
  const page = (priceId: string) =>
    stripe.billing().createCheckout({
      customerId,
      userId: user.id,
      priceId,
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
  expect(await row()).toMatchObject({ stripeSubscriptionId: left?.id, status: "active" });
  expect((await row())?.tier).not.toBe("free");
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
