import { and, asc, eq, sql } from "drizzle-orm";
import { plans, subscriptions, usageLedger } from "../../../drizzle/schema.ts";
import type { Database } from "../database.ts";
import { effectiveTier, type SubscriptionRow, usageMonth } from "./rules.ts";

export interface PlanUsage {
  subscription: SubscriptionRow | null;
  /** Hours a month of the tier that counts. */
  hourLimit: number;
  /** Recorded time of the calendar month (UTC) that `now` lies in. */
  usedMs: number;
}

/** The user's plan at `now` and what of it is used: two statements, one round trip. */
export async function readPlanUsage(
  db: Database,
  { userId, now }: { userId: string; now: Date },
): Promise<PlanUsage> {
  const [rows, used] = await db.batch([
    db
      .select({
        planTier: plans.tier,
        hours: plans.hoursPerMonth,
        tier: subscriptions.tier,
        status: subscriptions.status,
        interval: subscriptions.interval,
        currentPeriodEnd: subscriptions.currentPeriodEnd,
        cancelAtPeriodEnd: subscriptions.cancelAtPeriodEnd,
        paymentState: subscriptions.paymentState,
        stripeSubscriptionId: subscriptions.stripeSubscriptionId,
      })
      .from(plans)
      .leftJoin(subscriptions, eq(subscriptions.userId, userId)),
    db
      .select({ ms: sql`coalesce(sum(${usageLedger.recordedMs}), 0)`.mapWith(Number) })
      .from(usageLedger)
      .where(and(eq(usageLedger.userId, userId), eq(usageLedger.month, usageMonth(now)))),
  ]);
  const [first] = rows;
  const subscription =
    first?.tier && first.status && first.paymentState
      ? {
          tier: first.tier,
          status: first.status,
          interval: first.interval,
          currentPeriodEnd: first.currentPeriodEnd,
          cancelAtPeriodEnd: first.cancelAtPeriodEnd ?? false,
          paymentState: first.paymentState,
          simulated: first.tier !== "free" && first.stripeSubscriptionId === null,
        }
      : null;
  const tier = effectiveTier(subscription, now);
  const plan = rows.find(({ planTier }) => planTier === tier);
  if (!plan) throw new Error(`The plans table has no row for ${tier}`);
  return { subscription, hourLimit: plan.hours, usedMs: used[0]?.ms ?? 0 };
}

/** Hours that the user's plan allows a month, and milliseconds recorded in the current one (UTC). */
export async function readAllowance(
  db: Database,
  input: { userId: string; now: Date },
): Promise<{ hourLimit: number; usedMs: number }> {
  const { hourLimit, usedMs } = await readPlanUsage(db, input);
  return { hourLimit, usedMs };
}

/** Every plan, lowest first. */
export function readPlans(db: Database) {
  return db
    .select({
      tier: plans.tier,
      name: plans.name,
      hoursPerMonth: plans.hoursPerMonth,
      monthlyPriceCents: plans.monthlyPriceCents,
    })
    .from(plans)
    .orderBy(asc(plans.tier));
}
