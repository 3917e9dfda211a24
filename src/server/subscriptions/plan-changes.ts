import { eq } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import { toLogFields } from "#server/errors.ts";
import { AppError } from "#shared/errors.ts";
import type { CheckoutResult } from "#shared/plans.ts";
import { findCustomer, withCustomer } from "./customers.ts";
import { isPaymentDue, type LiveSubscription, selectLiveSubscription } from "./plan-from-stripe.ts";
import { findPrice } from "./prices.ts";
import type { BillingMode } from "./queries.ts";
import { scheduleSimulatedEnd } from "./simulation.ts";
import { type BillingServices, syncUser } from "./sync.ts";

interface Caller {
  user: { id: string; email: string };
  /** Of the site, where Stripe's pages lead back to. */
  origin: string;
}

/**
 * A page to subscribe on; for a user who has a paid plan and asks for its `change`, that plan changed
 * at once instead: two are never paid for side by side.
 *
 * @throws AppError `validation_failed` for a price that is not sold, `payment_failed` when the change
 * could not be charged or an earlier payment is owed, `conflict` when there is a paid plan and its
 * change was not asked for: nothing was changed, and `check` tells of the plan from then on.
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
    // It gives nothing and would not begin again with another price: what is bought takes its place.
    await billing.cancelNow({ subscriptionId: kept.id, credit: false });
  } else if (kept) {
    if (isPaymentDue(kept))
      throw new AppError("payment_failed", { detail: "an earlier payment is owed" });
    if (!change) {
      // The page did not know of the plan, so its user was not asked whether to change it.
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

/** What is there is there: when Stripe cannot be asked about it now, its webhook tells of it. */
async function trySync(services: BillingServices, userId: string): Promise<void> {
  try {
    await syncUser(services, { userId });
  } catch (error) {
    services.logger.warn("billing_sync_failed", { ...toLogFields(error), userId });
  }
}

/**
 * Lets the paid plan end with the period that is paid for (`cancel`), or takes that back.
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
  // Nothing was paid for that could still be used up.
  if (cancel && kept.status === "unpaid")
    await billing.cancelNow({ subscriptionId: kept.id, credit: false });
  else if ((kept.endsAt !== null) !== cancel)
    await billing.setCancelAtPeriodEnd({ subscription: kept, cancel });
  logger.info(cancel ? "plan_end_scheduled" : "plan_resumed", { userId });
  await trySync(services, userId);
}

/** The address of Stripe's page for cards, invoices and the subscription. */
export async function openPortal(
  services: BillingServices,
  { user, origin }: Caller,
): Promise<string> {
  return withCustomer(services, user, (customerId) =>
    services.billing.openPortal({ customerId, returnUrl: `${origin}/profile` }),
  );
}
