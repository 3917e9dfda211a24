import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { toAppError, toLogFields } from "#server/errors.ts";
import { noPlan } from "./plan-from-stripe.ts";
import { type BillingServices, syncUser } from "./sync.ts";

/** Run every hour: ends simulated plans, and compares the plans that are due with Stripe's. */

const hourMs = 3_600_000;

/** Time for Stripe to create a renewal's invoice, and to retry its webhook once or twice. */
const renewalGraceMs = hourMs;
/** A checkout page is open for a day; this leaves time for a payment at its end. */
const checkoutOpenMs = 26 * hourMs;
const pastDueRecheckMs = 24 * hourMs;
/** Slightly less than the cron's hour, so that the next run checks again. */
const minRecheckMs = 50 * 60_000;

/** Limits of one run; the next run continues. */
const runLimits = { expired: 1_000, rechecked: 50, outages: 3 };

/** Ends simulated plans whose period is over; Stripe does not know them. */
export async function expirePlans(
  { db, userEvents }: Pick<BillingServices, "db" | "userEvents">,
  now: Date,
): Promise<{ expired: number }> {
  const isExpired = and(
    isNull(subscriptions.stripeSubscriptionId),
    ne(subscriptions.tier, "free"),
    lte(subscriptions.currentPeriodEnd, now),
  );
  const rows = await db
    .update(subscriptions)
    .set({ ...noPlan, updatedAt: now })
    .where(
      and(
        isExpired,
        sql`${subscriptions.userId} in ${db
          .select({ userId: subscriptions.userId })
          .from(subscriptions)
          .where(isExpired)
          .orderBy(asc(subscriptions.currentPeriodEnd))
          .limit(runLimits.expired)}`,
      ),
    )
    .returning({ userId: subscriptions.userId });
  for (const { userId } of rows) await userEvents.reportProfileChange(userId);
  return { expired: rows.length };
}

/**
 * Syncs plans whose webhook may have been lost: periods that are over (renewed or ended), payments that are
 * due, and opened checkout pages.
 */
export async function recheckPlans(
  services: BillingServices,
  now: Date,
): Promise<{ rechecked: number; failed: number; left: boolean }> {
  const { db, logger } = services;
  const due = await selectDue(db, now);
  let rechecked = 0;
  let failed = 0;
  let outages = 0;
  for (const { userId } of due) {
    try {
      await syncUser(services, userId);
      rechecked += 1;
      outages = 0;
    } catch (error) {
      failed += 1;
      logger.warn("plan_recheck_failed", { ...toLogFields(error), userId });
      if (toAppError(error).code === "unavailable") outages += 1;
      // During an outage the rest of the list would fail as well.
      if (outages >= runLimits.outages) break;
    }
  }
  return {
    rechecked,
    failed,
    left: due.length === runLimits.rechecked || rechecked + failed < due.length,
  };
}

function selectDue(db: Database, now: Date) {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const wasSyncedBefore = (ms: number) =>
    or(isNull(subscriptions.syncedAt), lte(subscriptions.syncedAt, ago(ms)));
  const hasSubscription = isNotNull(subscriptions.stripeSubscriptionId);
  return db
    .select({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.stripeCustomerId),
        or(
          and(
            hasSubscription,
            lte(subscriptions.currentPeriodEnd, ago(renewalGraceMs)),
            wasSyncedBefore(minRecheckMs),
          ),
          and(
            hasSubscription,
            eq(subscriptions.paymentState, "past_due"),
            wasSyncedBefore(pastDueRecheckMs),
          ),
          and(
            isNull(subscriptions.stripeSubscriptionId),
            gt(subscriptions.checkoutOpenedAt, ago(checkoutOpenMs)),
            lte(subscriptions.checkoutOpenedAt, ago(minRecheckMs)),
            wasSyncedBefore(minRecheckMs),
          ),
        ),
      ),
    )
    .orderBy(sql`${subscriptions.syncedAt} nulls first`)
    .limit(runLimits.rechecked);
}
