import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { toAppError, toLogFields } from "#server/errors.ts";
import { noPlan } from "./plan-from-stripe.ts";
import { type BillingServices, syncUser } from "./sync.ts";

const hourMs = 3_600_000;

/** How long Stripe takes to draw a renewal's invoice, and a webhook to be repeated once or twice. */
const renewalGraceMs = hourMs;
/** A page to pay on is open for a day; somebody may pay at its end. */
const checkoutOpenMs = 26 * hourMs;
const pastDueRecheckMs = 24 * hourMs;
/** Somewhat less than the cron's hour, so that the next run asks again. */
const minRecheckMs = 50 * 60_000;

/** What one run does at most; the next one goes on. */
const runLimits = { expired: 1_000, rechecked: 50, outages: 3 };

/** Ends plans whose end has come and of which Stripe knows nothing: simulated ones. */
export async function expirePlans(
  { db, userEvents }: Pick<BillingServices, "db" | "userEvents">,
  now: Date,
): Promise<{ expired: number }> {
  const over = and(
    isNull(subscriptions.stripeSubscriptionId),
    ne(subscriptions.tier, "free"),
    lte(subscriptions.currentPeriodEnd, now),
  );
  const rows = await db
    .update(subscriptions)
    .set({ ...noPlan, updatedAt: now })
    .where(
      and(
        over,
        sql`${subscriptions.userId} in ${db
          .select({ userId: subscriptions.userId })
          .from(subscriptions)
          .where(over)
          .orderBy(asc(subscriptions.currentPeriodEnd))
          .limit(runLimits.expired)}`,
      ),
    )
    .returning({ userId: subscriptions.userId });
  for (const { userId } of rows) await userEvents.profileChanged(userId);
  return { expired: rows.length };
}

/**
 * Asks Stripe about plans of which a webhook should have told and none did: periods that are over
 * (renewed or ended), payments that are owed, and pages to pay on that were opened.
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
      await syncUser(services, { userId });
      rechecked += 1;
      outages = 0;
    } catch (error) {
      failed += 1;
      logger.warn("plan_recheck_failed", { ...toLogFields(error), userId });
      if (toAppError(error).code === "unavailable") outages += 1;
      // What does not answer now will not answer for the rest of the list either.
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
  const askedBefore = (ms: number) =>
    or(isNull(subscriptions.syncedAt), lte(subscriptions.syncedAt, ago(ms)));
  const known = isNotNull(subscriptions.stripeSubscriptionId);
  return db
    .select({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.stripeCustomerId),
        or(
          and(
            known,
            lte(subscriptions.currentPeriodEnd, ago(renewalGraceMs)),
            askedBefore(minRecheckMs),
          ),
          and(known, eq(subscriptions.paymentState, "past_due"), askedBefore(pastDueRecheckMs)),
          and(
            isNull(subscriptions.stripeSubscriptionId),
            gt(subscriptions.checkoutOpenedAt, ago(checkoutOpenMs)),
            lte(subscriptions.checkoutOpenedAt, ago(minRecheckMs)),
            askedBefore(minRecheckMs),
          ),
        ),
      ),
    )
    .orderBy(sql`${subscriptions.syncedAt} nulls first`)
    .limit(runLimits.rechecked);
}
