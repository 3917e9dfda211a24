import { sql } from "drizzle-orm";
import { bigint, check, date, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/**
 * What was used of a daily budget, one row for each day (UTC) and key. A key names what is counted and
 * who pays (`model:user:<id>`, `accounts:address:<hash>`); it never holds an address or an e-mail
 * address. The cron removes days that are over.
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
