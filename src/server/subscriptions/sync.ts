import { and, eq, isNotNull, lt, notExists, type SQL, sql } from "drizzle-orm";
import { subscriptions, webhookEvents } from "#drizzle/schema.ts";
import type { BillingSettings, Context } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import type { BillingEvent } from "#server/ports.ts";
import { type StripePlan, selectLiveSubscription, toStripePlan } from "./plan-from-stripe.ts";

/** The services that this folder uses, from a request or a cron job. */
export type BillingServices = Pick<
  Context,
  "db" | "billing" | "clock" | "logger" | "userEvents"
> & { settings: { billing: BillingSettings } };

/**
 * One request of the state at Stripe. The number is assigned before the request, and a result overwrites only
 * results with lower numbers, so an outdated result changes nothing.
 */
interface StripeSync {
  userId: string;
  customerId: string;
  number: number;
}

const paymentEvents = new Set(["checkout.session.completed", "invoice.paid"]);

/** Sets `syncedAt` before the request, so that a failed sync is not first in the next run again. */
function beginSync(db: Database, condition: SQL | undefined, now: Date) {
  return db
    .update(subscriptions)
    .set({ syncStarted: sql`${subscriptions.syncStarted} + 1`, syncedAt: now })
    .where(and(isNotNull(subscriptions.stripeCustomerId), condition))
    .returning({
      userId: subscriptions.userId,
      customerId: sql<string>`${subscriptions.stripeCustomerId}`,
      number: subscriptions.syncStarted,
    });
}

/** Updates the user's row from Stripe; does nothing for a user without a Stripe customer. */
export async function syncUser(services: BillingServices, userId: string): Promise<void> {
  const { db, clock } = services;
  const [sync] = await beginSync(db, eq(subscriptions.userId, userId), clock.now());
  if (sync) await applySync(services, sync, null);
}

/**
 * Updates the row of the event's customer from Stripe and stores the event's id in the same transaction, so
 * every stored event was applied. Applying an event twice is harmless.
 *
 * @throws when Stripe or the database does not answer; Stripe must send the event again then.
 */
export async function applyEvent(services: BillingServices, event: BillingEvent): Promise<void> {
  const { db, clock, logger } = services;
  const { customerId } = event;
  const fields = { eventId: event.id, type: event.type };
  if (customerId === null) {
    logger.info("billing_event_ignored", fields);
    return;
  }
  const known = eq(webhookEvents.id, event.id);
  const [repeated, [sync]] = await db.batch([
    db.select({ id: webhookEvents.id }).from(webhookEvents).where(known),
    beginSync(
      db,
      and(
        eq(subscriptions.stripeCustomerId, customerId),
        notExists(db.select({ one: sql`1` }).from(webhookEvents).where(known)),
      ),
      clock.now(),
    ),
  ]);
  if (repeated.length > 0) {
    logger.info("billing_event_repeated", fields);
  } else if (!sync) {
    // Expected for deleted accounts, but a payment without a user must be investigated.
    const level = paymentEvents.has(event.type) ? "error" : "info";
    logger[level]("billing_customer_unknown", { ...fields, customerId });
  } else {
    await applySync(services, sync, event);
    logger.info("billing_event_applied", { ...fields, userId: sync.userId });
  }
}

async function applySync(
  services: BillingServices,
  sync: StripeSync,
  event: BillingEvent | null,
): Promise<void> {
  const { db, billing, clock, logger, userEvents, settings } = services;
  const { userId, customerId } = sync;
  const found = await billing.listSubscriptions({ customerId });
  const { kept, surplus, foreign } = selectLiveSubscription(found, settings.billing.prices);
  for (const { id, productId } of foreign)
    logger.error("billing_product_unknown", { userId, subscriptionId: id, productId });

  let failure: unknown = null;
  try {
    for (const { id, status } of surplus) {
      // No credit for a period that was not paid.
      await billing.cancelNow({ subscriptionId: id, credit: status === "active" });
      logger.warn("billing_surplus_cancelled", { userId, subscriptionId: id, kept: kept?.id });
    }
    // Closes other open checkout pages, so that the user cannot pay twice.
    if (kept && event?.type === "checkout.session.completed")
      await billing.closeCheckouts({ customerId, keepPriceId: null });
  } catch (error) {
    failure = error;
  }

  // The plan is written even after a failure; the event is stored only if everything succeeded.
  const now = clock.now();
  const plan = toStripePlan(kept);
  const write = writePlan(db, sync, plan, now);
  const [rows] =
    event && failure === null
      ? await db.batch([write, recordEvent(db, event, now)])
      : await db.batch([write]);
  if (rows.length > 0) {
    logger.info("billing_synced", { userId, tier: plan.tier, status: plan.status });
    await userEvents.reportProfileChange(userId);
  }
  if (failure !== null) throw failure;
}

function recordEvent(db: Database, { id, type }: BillingEvent, now: Date) {
  return db.insert(webhookEvents).values({ id, type, processedAt: now }).onConflictDoNothing();
}

function writePlan(
  db: Database,
  { userId, customerId, number }: StripeSync,
  { stripeSubscriptionId, ...plan }: StripePlan,
  now: Date,
) {
  return db
    .update(subscriptions)
    .set({
      ...(stripeSubscriptionId === null ? unlessSimulated(plan) : plan),
      stripeSubscriptionId,
      syncApplied: number,
      updatedAt: now,
    })
    .where(
      and(
        eq(subscriptions.userId, userId),
        eq(subscriptions.stripeCustomerId, customerId),
        lt(subscriptions.syncApplied, number),
      ),
    )
    .returning({ userId: subscriptions.userId });
}

/** Stripe does not know simulated plans, so a result without a subscription leaves them unchanged. */
function unlessSimulated(plan: Omit<StripePlan, "stripeSubscriptionId">) {
  const isSimulated = sql`${subscriptions.stripeSubscriptionId} is null`;
  const update = (name: keyof typeof plan) => {
    const column = subscriptions[name];
    return sql`case when ${isSimulated} then ${column} else ${sql.param(plan[name], column)} end`;
  };
  return {
    tier: update("tier"),
    status: update("status"),
    interval: update("interval"),
    currentPeriodEnd: update("currentPeriodEnd"),
    cancelAtPeriodEnd: update("cancelAtPeriodEnd"),
    paymentState: update("paymentState"),
  };
}
