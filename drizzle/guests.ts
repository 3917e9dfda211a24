import { sql } from "drizzle-orm";
import { check, date, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { timestamptz } from "./columns.ts";

/** Guests' recorded time, as `usage_ledger` for users. The cron deletes past days. */
export const guestUsage = pgTable(
  "guest_usage",
  {
    recordingId: uuid("recording_id").notNull(),
    segment: integer("segment").notNull(),
    /** The day (UTC) that the time counts for. */
    day: date("day").notNull(),
    /** Keyed hash of the network address; null on a developer's machine. */
    address: text("address"),
    recordedMs: integer("recorded_ms").notNull().default(0),
    startedAt: timestamptz("started_at").notNull(),
    flushedAt: timestamptz("flushed_at").notNull(),
    closedAt: timestamptz("closed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.recordingId, table.segment] }),
    index("guest_usage_day_address_idx").on(table.day, table.address),
    index("guest_usage_open_idx").on(table.flushedAt).where(sql`${table.closedAt} is null`),
    check("guest_usage_not_negative", sql`${table.segment} >= 0 and ${table.recordedMs} >= 0`),
  ],
);
