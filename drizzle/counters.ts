import { sql } from "drizzle-orm";
import { bigint, check, date, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * Used amounts of daily budgets, one row per day (UTC) and key. A key says what is counted and for whom
 * (`model:user:<id>`, `accounts:address:<hash>`), and never contains a network or e-mail address. The cron deletes
 * past days.
 */
export const dailyCounters = pgTable(
  "daily_counters",
  {
    day: date("day").notNull(),
    key: text("key").notNull(),
    amount: bigint("amount", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.key] }),
    check("daily_counters_not_negative", sql`${table.amount} >= 0`),
  ],
);
