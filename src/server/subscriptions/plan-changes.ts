import { eq } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import { toLogFields } from "#server/errors.ts";
import { AppError } from "#shared/errors.ts";
import type { CheckoutResult } from "#shared/plans.ts";
import { findCustomer, withCustomer } from "./customers.ts";
import { isPaymentDue, type LiveSubscription, selectLiveSubscription } from "./plan-from-stripe.ts";
import { findPrice } from "./prices.ts";
import type { BillingMode } from "./queries.ts";
import { scheduleSimulatedEnd } from "./simulated-payments.ts";
import { type BillingServices, syncUser } from "./sync.ts";

interface Caller {
  user: { id: string; email: string };
  /** Origin of the site, where Stripe's pages return to. */
  origin: string;
}

/**
 * Opens a checkout page, or changes the user's existing paid plan immediately if `change` is set: a user
 * never pays for two plans.
 *
 * @throws AppError `validation_failed` for a price that is not sold, `payment_failed` when the change
 * could not be charged or an earlier payment is due, `conflict` when there is a paid plan and `change` is not
 * set: nothing has changed then, and `check` returns the plan afterwards.
 */
export async function startCheckout(
  services: BillingServices,
  { user, origin, priceId, change }: Caller & { priceId: string; change: boolean },
): Promise<CheckoutResult> {
  const { db, billing, clock, logger, prices } = services;
  const bought = findPrice(prices, priceId);
  if (!bought) throw new AppError("validation_failed", { detail: "no such price" });
  const kept = await findLiveSubscription(services, user.id);
  if (kept?.status === "paused") {
    // A paused subscription does not resume with another price, so the new one replaces it.
    await billing.cancelNow({ subscriptionId: kept.id, credit: false });
  } else if (kept) {
    if (isPaymentDue(kept))
      throw new AppError("payment_failed", { detail: "an earlier payment is owed" });
    if (!change) {
      // The client did not know of the plan, so the user was not asked to confirm a change.
      await trySync(services, user.id);
      throw new AppError("conflict", { detail: "there is a paid plan" });
    }
    await changePrice(services, { userId: user.id, subscription: kept, priceId });
    return { kind: "changed", ...bought };
  }
  const url = await withCustomer(services, user, async (customerId) => {
    await db
      .update(subscriptions)
      .set({ checkoutOpenedAt: clock.now() })
      .where(eq(subscriptions.userId, user.id));
    const open = await billing.closeCheckouts({ customerId, keepPriceId: priceId });
    if (open) return open;
    return billing.createCheckout({
      ...{ customerId, userId: user.id, priceId },
      successUrl: `${origin}/profile?checkout=success`,
      cancelUrl: `${origin}/profile?checkout=cancel`,
    });
  });
  logger.info("checkout_opened", { userId: user.id, ...bought });
  return { kind: "checkout", url };
}

async function findLiveSubscription(
  { db, billing, prices }: BillingServices,
  userId: string,
): Promise<LiveSubscription | null> {
  const { customerId } = await findCustomer(db, { userId });
  if (!customerId) return null;
  return selectLiveSubscription(await billing.listSubscriptions({ customerId }), prices).kept;
}

async function changePrice(
  services: BillingServices,
  {
    userId,
    subscription,
    priceId,
  }: { userId: string; subscription: LiveSubscription; priceId: string },
): Promise<void> {
  const { billing, logger } = services;
  if (subscription.priceId !== priceId) await billing.changePrice({ subscription, priceId });
  else if (subscription.endsAt) await billing.setCancelAtPeriodEnd({ subscription, cancel: false });
  logger.info("plan_changed", { userId, from: subscription.priceId, to: priceId });
  await trySync(services, userId);
}

/** Syncs now if Stripe answers; otherwise the webhook does it later. */
async function trySync(services: BillingServices, userId: string): Promise<void> {
  try {
    await syncUser(services, { userId });
  } catch (error) {
    services.logger.warn("billing_sync_failed", { ...toLogFields(error), userId });
  }
}

/**
 * Schedules the end of the paid plan for the end of its period (`cancel`), or reverts that.
 *
 * @throws AppError `conflict` for a user who has no paid plan.
 */
export async function scheduleEnd(
  services: BillingServices,
  { userId, cancel, mode }: { userId: string; cancel: boolean; mode: BillingMode },
): Promise<void> {
  const { db, billing, clock, logger, userEvents } = services;
  const kept = await findLiveSubscription(services, userId);
  if (!kept) {
    const simulated = { userId, cancel, now: clock.now() };
    if (mode !== "test" || !(await scheduleSimulatedEnd(db, simulated)))
      throw new AppError("conflict", { detail: "no paid plan" });
    await userEvents.profileChanged(userId);
    return;
  }
  // An unpaid period has no remaining time to keep.
  if (cancel && kept.status === "unpaid")
    await billing.cancelNow({ subscriptionId: kept.id, credit: false });
  else if ((kept.endsAt !== null) !== cancel)
    await billing.setCancelAtPeriodEnd({ subscription: kept, cancel });
  logger.info(cancel ? "plan_end_scheduled" : "plan_resumed", { userId });
  await trySync(services, userId);
}

/** Returns the URL of Stripe's page for cards, invoices and the subscription. */
export async function openPortal(
  services: BillingServices,
  { user, origin }: Caller,
): Promise<string> {
  return withCustomer(services, user, (customerId) =>
    services.billing.openPortal({ customerId, returnUrl: `${origin}/profile` }),
  );
}
