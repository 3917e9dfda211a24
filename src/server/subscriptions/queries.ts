import { and, asc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { plans, subscriptions, usageLedger } from "#drizzle/schema.ts";
import type { BillingSettings } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { getPeriod, msPerHour } from "#server/recording/plan-limits.ts";
import type { Tier } from "#shared/plans.ts";
import { getEffectiveTier, type SubscriptionRow } from "./effective-tier.ts";

/** The plan in effect at some time. */
export interface CurrentPlan {
  subscription: SubscriptionRow | null;
  tier: Tier;
  /** Hours a month; null: no limit. */
  hourLimit: number | null;
  /** Readers of one shared lecture at once, and languages that are translated for them besides the owner's. */
  readersMax: number;
  readerLanguagesMax: number;
}

export interface PlanUsage extends CurrentPlan {
  /** Recorded time of the calendar month (UTC) that `now` lies in. */
  usedMs: number;
}

export type BillingMode = BillingSettings["mode"];

export const hasPlans = (mode: BillingMode): mode is "live" | "test" => typeof mode === "string";

/** What everybody may do where there are no plans. */
const tierWithoutPlans = "premium" satisfies Tier;

/** More than anybody can record in a period. */
export const noLimitMs = Number.MAX_SAFE_INTEGER;

export const toLimitMs = (hourLimit: number | null): number =>
  hourLimit === null ? noLimitMs : hourLimit * msPerHour;

/** The hours a month where the plan gives `planHours`; null: no limit. */
export const toHourLimit = (mode: BillingMode, planHours: number): number | null =>
  hasPlans(mode) ? planHours : mode.hoursPerMonth;

/**
 * The statement for `toPlan`, to be part of a batch: every plan, joined with the user's subscription. In mode
 * `live` a simulated subscription is ignored, and without plans every one.
 */
export function selectPlan(db: Database, { userId, mode }: { userId: string; mode: BillingMode }) {
  const isReal = or(eq(subscriptions.tier, "free"), isNotNull(subscriptions.stripeSubscriptionId));
  const isCounted = mode === "test" ? undefined : mode === "live" ? isReal : sql`false`;
  return db
    .select()
    .from(plans)
    .leftJoin(subscriptions, and(eq(subscriptions.userId, userId), isCounted));
}

/** Converts the result of `selectPlan` to the plan at `now`. */
export function toPlan(
  rows: Awaited<ReturnType<typeof selectPlan>>,
  { mode, now }: Pick<PlanQuery, "mode" | "now">,
): CurrentPlan {
  const row = rows[0]?.subscriptions;
  const subscription = row
    ? { ...row, simulated: row.tier !== "free" && row.stripeSubscriptionId === null }
    : null;
  const tier = hasPlans(mode) ? getEffectiveTier(subscription, now) : tierWithoutPlans;
  const plan = rows.find(({ plans }) => plans.tier === tier)?.plans;
  if (!plan) throw new Error(`The plans table has no row for ${tier}`);
  const { hoursPerMonth, readersMax, readerLanguagesMax } = plan;
  const hourLimit = toHourLimit(mode, hoursPerMonth);
  return { subscription, tier, hourLimit, readersMax, readerLanguagesMax };
}

interface PlanQuery {
  userId: string;
  mode: BillingMode;
  now: Date;
}

/** `getEffectiveTier` of the user as an SQL expression; null for the Free plan. */
export function selectTier({ userId, mode, now }: PlanQuery): SQL {
  if (!hasPlans(mode)) return sql`${tierWithoutPlans}::text`;
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
  at: Pick<PlanQuery, "mode" | "now">,
): PlanUsage {
  return { ...toPlan(plans, at), usedMs: used[0]?.ms ?? 0 };
}

/** Reads the user's plan and its used time at `now`. One round trip. */
export async function readPlanUsage(db: Database, query: PlanQuery): Promise<PlanUsage> {
  const [plans, used] = await db.batch(selectPlanUsage(db, query));
  return toPlanUsage(plans, used, query);
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
