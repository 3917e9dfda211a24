import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { billingIntervals, paymentStates, subscriptionStatuses, tiers } from "#shared/plans.ts";
import { createdAt, timestamptz, updatedAt, userId } from "./accounts.ts";
import { lectures } from "./library.ts";

export const tier = pgEnum("tier", tiers);
export const subscriptionStatus = pgEnum("subscription_status", subscriptionStatuses);
export const billingInterval = pgEnum("billing_interval", billingIntervals);
export const paymentState = pgEnum("payment_state", paymentStates);

export const plans = pgTable(
  "plans",
  {
    tier: tier("tier").primaryKey(),
    name: text("name").notNull().unique(),
    hoursPerMonth: integer("hours_per_month").notNull(),
    /** US cents a month; 0 for Free. */
    monthlyPriceCents: integer("monthly_price_cents").notNull(),
    /** Readers of one shared lecture at once. */
    readersMax: integer("readers_max").notNull(),
    /** Languages that are translated for them at a time, besides the owner's. */
    readerLanguagesMax: integer("reader_languages_max").notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("plans_hours_positive", sql`${table.hoursPerMonth} > 0`),
    check(
      "plans_readers_positive",
      sql`least(${table.readersMax}, ${table.readerLanguagesMax}) > 0`,
    ),
    check("plans_prices_not_negative", sql`${table.monthlyPriceCents} >= 0`),
  ],
);

/** At most one row per user: the state that Stripe last reported. Without a row: the Free plan, inactive. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    userId: userId().primaryKey(),
    tier: tier("tier")
      .notNull()
      .references(() => plans.tier),
    status: subscriptionStatus("status").notNull(),
    interval: billingInterval("billing_interval"),
    currentPeriodEnd: timestamptz("current_period_end"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    paymentState: paymentState("payment_state").notNull().default("ok"),
    stripeCustomerId: text("stripe_customer_id").unique(),
    /** Null with a paid tier: a simulated payment. */
    stripeSubscriptionId: text("stripe_subscription_id").unique(),
    /** When a checkout page was last opened for the user. */
    checkoutOpenedAt: timestamptz("checkout_opened_at"),
    /** Number of the latest request to Stripe, and of the latest whose answer is in this row. */
    syncStarted: integer("sync_started").notNull().default(0),
    syncApplied: integer("sync_applied").notNull().default(0),
    /** Time of the latest request to Stripe, answered or not. */
    syncedAt: timestamptz("synced_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("subscriptions_period_end_idx").on(table.currentPeriodEnd)],
);

/** Ids of Stripe's events that were processed completely. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    processedAt: timestamptz("processed_at").notNull().defaultNow(),
  },
  (table) => [index("webhook_events_processed_at_idx").on(table.processedAt)],
);

/**
 * Recorded time, one row for each segment of a recording. A flush writes the segment's total, so a repeated flush
 * counts once. The rows of a deleted lecture are kept.
 */
export const usageLedger = pgTable(
  "usage_ledger",
  {
    recordingId: uuid("recording_id").notNull(),
    segment: integer("segment").notNull(),
    userId: userId(),
    lectureId: uuid("lecture_id").references(() => lectures.id, { onDelete: "set null" }),
    /** First day of the calendar month (UTC) that the time counts for. */
    month: date("month").notNull(),
    recordedMs: integer("recorded_ms").notNull().default(0),
    startedAt: timestamptz("started_at").notNull(),
    flushedAt: timestamptz("flushed_at").notNull(),
    /** Set by the flush at stop; the cron closes segments of rooms that ended without it. */
    closedAt: timestamptz("closed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.recordingId, table.segment] }),
    index("usage_ledger_user_month_idx").on(table.userId, table.month),
    index("usage_ledger_lecture_id_idx").on(table.lectureId),
    index("usage_ledger_open_idx").on(table.flushedAt).where(sql`${table.closedAt} is null`),
    check("usage_ledger_not_negative", sql`${table.segment} >= 0 and ${table.recordedMs} >= 0`),
    check("usage_ledger_month_first_day", sql`extract(day from ${table.month}) = 1`),
  ],
);

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
