import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/** One use of a daily budget. */
export interface BudgetUse {
  /** What is counted and for whom, such as `model:user:<id>`. Never a network or e-mail address. */
  key: string;
  /** Amount of this use, in the budget's unit. */
  amount: number;
  /** Daily limit; an SQL expression if it depends on stored rows. */
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
  uses: readonly [BudgetUse, ...BudgetUse[]],
  now: Date,
): Promise<string[]> {
  const day = now.toISOString().slice(0, 10);
  const rows = uses.map(
    ({ key, amount, limit }) => sql`(${key}::text, ${amount}::bigint, (${limit})::bigint)`,
  );
  const values = sql.join(rows, sql`, `);
  const [, { rows: exceeded }] = await db.batch([
    db.execute(sql`
      insert into daily_counters (day, key)
      select ${day}::date, key from (values ${values}) as wanted (key, amount, most) order by key
      on conflict do nothing`),
    db.execute<{ key: string }>(sql`
      with wanted (key, amount, most) as (values ${values}),
      locked as (
        select key, amount from daily_counters
        where day = ${day}::date and key in (select key from wanted)
        order by key for update
      ),
      exceeded as (
        select wanted.key from wanted join locked using (key)
        where locked.amount + wanted.amount > wanted.most
      ),
      counted as (
        update daily_counters as counter set amount = counter.amount + wanted.amount
        from wanted
        where counter.day = ${day}::date and counter.key = wanted.key
          and not exists (select from exceeded)
      )
      select key from exceeded`),
  ]);
  return exceeded.map(({ key }) => key);
}
