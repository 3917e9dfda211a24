import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import type { PaidTier } from "#shared/plans.ts";

/** One calendar month later, or the last day of a shorter month. */
export function addMonth(from: Date): Date {
  const later = new Date(from);
  later.setUTCMonth(later.getUTCMonth() + 1);
  // A 31st would overflow into the month after a shorter one.
  if (later.getUTCDate() !== from.getUTCDate()) later.setUTCDate(0);
  return later;
}

/**
 * Gives the user a month of `tier`, starting now or at the end of the current simulated month.
 *
 * @throws AppError `conflict` for a user whose plan is Stripe's.
 */
export async function simulatePayment(
  db: Database,
  { userId, tier, now }: { userId: string; tier: PaidTier; now: Date },
): Promise<Date> {
  const [row] = await db
    .select({ tier: subscriptions.tier, end: subscriptions.currentPeriodEnd })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  const isRenewal = row?.tier === tier && row.end !== null && row.end > now;
  const currentPeriodEnd = addMonth(isRenewal && row.end ? row.end : now);
  const plan = {
    tier,
    status: "active",
    interval: "month",
    currentPeriodEnd,
    cancelAtPeriodEnd: false,
    paymentState: "ok",
    updatedAt: now,
  } as const;
  const written = await db
    .insert(subscriptions)
    .values({ userId, ...plan })
    .onConflictDoUpdate({
      target: subscriptions.userId,
      set: plan,
      setWhere: isNull(subscriptions.stripeSubscriptionId),
    })
    .returning({ userId: subscriptions.userId });
  if (written.length === 0) throw new AppError("conflict", { detail: "the plan is Stripe's" });
  return currentPeriodEnd;
}

/**
 * Schedules the end of a simulated plan for the end of its month, or reverts that.
 *
 * @returns false for a user who has none.
 */
export async function scheduleSimulatedEnd(
  db: Database,
  { userId, cancel, now }: { userId: string; cancel: boolean; now: Date },
): Promise<boolean> {
  const rows = await db
    .update(subscriptions)
    .set({ status: cancel ? "cancelled" : "active", cancelAtPeriodEnd: cancel, updatedAt: now })
    .where(
      and(
        eq(subscriptions.userId, userId),
        isNull(subscriptions.stripeSubscriptionId),
        ne(subscriptions.tier, "free"),
        sql`${subscriptions.currentPeriodEnd} > ${now.toISOString()}::timestamptz`,
      ),
    )
    .returning({ userId: subscriptions.userId });
  return rows.length > 0;
}
