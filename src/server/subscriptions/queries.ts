import { and, asc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { plans, subscriptions, usageLedger } from "#drizzle/schema.ts";
import type { BillingSettings } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { getPeriod } from "#server/recording/plan-limits.ts";
import type { Tier } from "#shared/plans.ts";
import { getEffectiveTier, type SubscriptionRow } from "./effective-tier.ts";

/** The plan in effect at some time. */
export interface CurrentPlan {
  subscription: SubscriptionRow | null;
  tier: Tier;
  /** Hours a month of the tier. */
  hourLimit: number;
  /** Readers of one shared lecture at once, and languages that are translated for them besides the owner's. */
  readersMax: number;
  readerLanguagesMax: number;
}

export interface PlanUsage extends CurrentPlan {
  /** Recorded time of the calendar month (UTC) that `now` lies in. */
  usedMs: number;
}

export type BillingMode = BillingSettings["mode"];

/**
 * The statement for `toPlan`, to be part of a batch: every plan, joined with the user's subscription. In mode
 * `live` a simulated subscription is ignored.
 */
export function selectPlan(db: Database, { userId, mode }: { userId: string; mode: BillingMode }) {
  const isCounted =
    mode === "test"
      ? undefined
      : or(eq(subscriptions.tier, "free"), isNotNull(subscriptions.stripeSubscriptionId));
  return db
    .select()
    .from(plans)
    .leftJoin(subscriptions, and(eq(subscriptions.userId, userId), isCounted));
}

/** Converts the result of `selectPlan` to the plan at `now`. */
export function toPlan(rows: Awaited<ReturnType<typeof selectPlan>>, now: Date): CurrentPlan {
  const row = rows[0]?.subscriptions;
  const subscription = row
    ? { ...row, simulated: row.tier !== "free" && row.stripeSubscriptionId === null }
    : null;
  const tier = getEffectiveTier(subscription, now);
  const plan = rows.find(({ plans }) => plans.tier === tier)?.plans;
  if (!plan) throw new Error(`The plans table has no row for ${tier}`);
  const { hoursPerMonth: hourLimit, readersMax, readerLanguagesMax } = plan;
  return { subscription, tier, hourLimit, readersMax, readerLanguagesMax };
}

interface PlanQuery {
  userId: string;
  mode: BillingMode;
  now: Date;
}

/** `getEffectiveTier` of the user as an SQL expression; null for the Free plan. */
export function selectTier({ userId, mode, now }: PlanQuery): SQL {
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`(select s.tier::text from ${subscriptions} s
    where s.user_id = ${userId}::uuid
      and (s.stripe_subscription_id is not null or (${mode === "test"}::boolean and s.current_period_end > ${at}))
      and (s.status = 'active' or (s.status = 'cancelled' and s.current_period_end > ${at})))`;
}

/** The two statements for `toPlanUsage`, to be part of a batch. */
export function selectPlanUsage(db: Database, { userId, now, mode }: PlanQuery) {
  const month = getPeriod(now.getTime(), { userId });
  const used = db
    .select({ ms: sql`coalesce(sum(${usageLedger.recordedMs}), 0)`.mapWith(Number) })
    .from(usageLedger)
    .where(and(eq(usageLedger.userId, userId), eq(usageLedger.month, month)));
  return [selectPlan(db, { userId, mode }), used] as const;
}

/** Converts the results of `selectPlanUsage` to the plan and its used time at `now`. */
export function toPlanUsage(
  plans: Parameters<typeof toPlan>[0],
  used: { ms: number }[],
  now: Date,
): PlanUsage {
  return { ...toPlan(plans, now), usedMs: used[0]?.ms ?? 0 };
}

/** Reads the user's plan and its used time at `now`. One round trip. */
export async function readPlanUsage(db: Database, query: PlanQuery): Promise<PlanUsage> {
  const [plans, used] = await db.batch(selectPlanUsage(db, query));
  return toPlanUsage(plans, used, query.now);
}

/** Every plan, lowest first. */
export function readPlans(db: Database) {
  return db
    .select({
      tier: plans.tier,
      name: plans.name,
      hoursPerMonth: plans.hoursPerMonth,
      monthlyPriceCents: plans.monthlyPriceCents,
      readersMax: plans.readersMax,
    })
    .from(plans)
    .orderBy(asc(plans.tier));
}
