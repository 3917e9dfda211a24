import { eq } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import type { Context } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import type { CheckoutResult } from "#shared/plans.ts";
import { findCustomer, withCustomer } from "./customers.ts";
import { isPaymentDue, type LiveSubscription, selectLiveSubscription } from "./plan-from-stripe.ts";
import { findPrice } from "./prices.ts";
import { scheduleSimulatedEnd } from "./simulated-payments.ts";
import { type BillingServices, syncUser } from "./sync.ts";

type UserContext = Context & { user: SessionUser };

/**
 * Opens a checkout page, or changes the user's existing paid plan immediately if `change` is set: a user
 * never pays for two plans.
 *
 * @throws AppError `validation_failed` for a price that is not sold, `payment_failed` when the change
 * could not be charged or an earlier payment is due, `conflict` when there is a paid plan and `change` is not
 * set: nothing has changed then, and `check` returns the plan afterwards.
 */
export async function startCheckout(
  ctx: UserContext,
  { priceId, change }: { priceId: string; change: boolean },
): Promise<CheckoutResult> {
  const { db, billing, clock, logger, user, settings } = ctx;
  const bought = findPrice(settings.billing.prices, priceId);
  if (!bought) throw new AppError("validation_failed", { detail: "no such price" });
  const kept = await findLiveSubscription(ctx);
  if (kept?.status === "paused") {
    // A paused subscription does not resume with another price, so the new one replaces it.
    await billing.cancelNow({ subscriptionId: kept.id, credit: false });
  } else if (kept) {
    if (isPaymentDue(kept))
      throw new AppError("payment_failed", { detail: "an earlier payment is owed" });
    if (!change) {
      // The client did not know of the plan, so the user was not asked to confirm a change.
      await trySync(ctx, user.id);
      throw new AppError("conflict", { detail: "there is a paid plan" });
    }
    if (kept.priceId !== priceId) await billing.changePrice({ subscription: kept, priceId });
    else if (kept.endsAt) await billing.setCancelAtPeriodEnd({ subscription: kept, cancel: false });
    logger.info("plan_changed", { userId: user.id, from: kept.priceId, to: priceId });
    await trySync(ctx, user.id);
    return { kind: "changed", ...bought };
  }
  const url = await withCustomer(ctx, user, async (customerId) => {
    await db
      .update(subscriptions)
      .set({ checkoutOpenedAt: clock.now() })
      .where(eq(subscriptions.userId, user.id));
    const open = await billing.closeCheckouts({ customerId, keepPriceId: priceId });
    if (open) return open;
    return billing.createCheckout({
      customerId,
      userId: user.id,
      priceId,
      successUrl: `${settings.origin}/profile?checkout=success`,
      cancelUrl: `${settings.origin}/profile?checkout=cancel`,
    });
  });
  logger.info("checkout_opened", { userId: user.id, ...bought });
  return { kind: "checkout", url };
}

async function findLiveSubscription(ctx: UserContext): Promise<LiveSubscription | null> {
  const { customerId } = await findCustomer(ctx.db, ctx.user.id);
  if (!customerId) return null;
  const found = await ctx.billing.listSubscriptions({ customerId });
  return selectLiveSubscription(found, ctx.settings.billing.prices).kept;
}

/** Syncs now if Stripe answers; otherwise the webhook does it later. */
async function trySync(services: BillingServices, userId: string): Promise<void> {
  try {
    await syncUser(services, userId);
  } catch (error) {
    services.logger.warn("billing_sync_failed", { ...toLogFields(error), userId });
  }
}

/**
 * Schedules the end of the paid plan for the end of its period (`cancel`), or reverts that.
 *
 * @throws AppError `conflict` for a user who has no paid plan.
 */
export async function scheduleEnd(ctx: UserContext, cancel: boolean): Promise<void> {
  const { db, billing, clock, logger, userEvents, settings } = ctx;
  const userId = ctx.user.id;
  const kept = await findLiveSubscription(ctx);
  if (!kept) {
    const simulated = { userId, cancel, now: clock.now() };
    if (settings.billing.mode !== "test" || !(await scheduleSimulatedEnd(db, simulated)))
      throw new AppError("conflict", { detail: "no paid plan" });
    await userEvents.reportProfileChange(userId);
    return;
  }
  // An unpaid period has no remaining time to keep.
  if (cancel && kept.status === "unpaid")
    await billing.cancelNow({ subscriptionId: kept.id, credit: false });
  else if ((kept.endsAt !== null) !== cancel)
    await billing.setCancelAtPeriodEnd({ subscription: kept, cancel });
  logger.info(cancel ? "plan_end_scheduled" : "plan_resumed", { userId });
  await trySync(ctx, userId);
}

/** Returns the URL of Stripe's page for cards, invoices and the subscription. */
export function openPortal(ctx: UserContext): Promise<string> {
  const returnUrl = `${ctx.settings.origin}/profile`;
  return withCustomer(ctx, ctx.user, (customerId) =>
    ctx.billing.openPortal({ customerId, returnUrl }),
  );
}
