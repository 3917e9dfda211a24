import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#shared/errors.ts";
import type { Context } from "./context.ts";
import type { Database } from "./database.ts";
import { toLogFields } from "./errors.ts";

const dayMs = 86_400_000;

/** The day (UTC) of `now`, as YYYY-MM-DD. */
export const toUtcDay = (now: Date): string => now.toISOString().slice(0, 10);

export const getSecondsUntilTomorrow = (now: Date): number =>
  Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000);

export interface BudgetUse {
  /** Names the counter, such as `model:user:<id>`. Never contains a network or e-mail address. */
  key: string;
  amount: number;
  /** Per day, in the unit of `amount`; an SQL expression if it depends on stored rows. */
  limit: number | SQL;
}

/**
 * Counts all `uses` on the day (UTC) of `now`, or none if one exceeds its limit. Row locks serialise
 * concurrent calls on one key, so limits are exact. One request, one transaction.
 *
 * @returns the keys whose limit was exceeded; empty when everything was counted.
 */
export async function spendDailyBudget(
  db: Database,
  uses: readonly BudgetUse[],
  now: Date,
): Promise<string[]> {
  if (uses.length === 0) return [];
  const day = toUtcDay(now);
  const rows = uses.map(
    ({ key, amount, limit }) => sql`(${key}::text, ${amount}::bigint, (${limit})::bigint)`,
  );
  const values = sql.join(rows, sql`, `);
  const [, { rows: exceeded }] = await db.batch([
    db.execute(sql`
      insert into daily_counters (day, key)
      select ${day}::date, key from (values ${values}) as uses (key, amount, max_amount) order by key
      on conflict do nothing`),
    db.execute<{ key: string }>(sql`
      with uses (key, amount, max_amount) as (values ${values}),
      locked as (
        select key, amount from daily_counters
        where day = ${day}::date and key in (select key from uses)
        order by key for update
      ),
      exceeded as (
        select uses.key from uses join locked using (key)
        where locked.amount + uses.amount > uses.max_amount
      ),
      updated as (
        update daily_counters as counter set amount = counter.amount + uses.amount
        from uses
        where counter.day = ${day}::date and counter.key = uses.key
          and not exists (select from exceeded)
      )
      select key from exceeded`),
  ]);
  return exceeded.map(({ key }) => key);
}

type BudgetContext = Pick<Context, "db" | "clock" | "logger" | "requestId">;

/**
 * Counts all `uses`, or none if one exceeds its limit.
 *
 * @throws AppError `daily_limit_reached`
 */
export async function spendBudgets(
  ctx: BudgetContext,
  uses: readonly BudgetUse[],
  now = ctx.clock.now(),
): Promise<void> {
  const exceeded = await spendDailyBudget(ctx.db, uses, now);
  if (exceeded.length === 0) return;
  for (const key of exceeded) {
    const budget = key.split(":").slice(0, 2).join(":");
    ctx.logger.warn("daily_limit_reached", { requestId: ctx.requestId, budget });
  }
  throw new AppError("daily_limit_reached", { retryAfterSeconds: getSecondsUntilTomorrow(now) });
}

/**
 * Counts `uses` and runs `operation`. If it throws, the uses are returned.
 *
 * @throws AppError `daily_limit_reached`; errors of `operation`.
 */
export async function withBudgets<T>(
  ctx: Context,
  uses: readonly BudgetUse[],
  operation: () => Promise<T>,
): Promise<T> {
  const now = ctx.clock.now();
  await spendBudgets(ctx, uses, now);
  try {
    return await operation();
  } catch (error) {
    const returned = uses.map((use) => ({ ...use, amount: -use.amount }));
    await spendBudgets(ctx, returned, now).catch((failure: unknown) => {
      const fields = { ...toLogFields(failure), requestId: ctx.requestId };
      ctx.logger.warn("budget_not_returned", fields);
    });
    throw error;
  }
}
