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
import { subscriptionStatuses, tiers } from "../src/shared/plans.ts";
import { users } from "./accounts.ts";
import { createdAt, moment, updatedAt } from "./columns.ts";
import { lectures } from "./library.ts";

export const tier = pgEnum("tier", tiers);
export const subscriptionStatus = pgEnum("subscription_status", subscriptionStatuses);
export const billingInterval = pgEnum("billing_interval", ["month", "year"]);

export const plans = pgTable(
  "plans",
  {
    tier: tier("tier").primaryKey(),
    name: text("name").notNull().unique(),
    hoursPerMonth: integer("hours_per_month").notNull(),
    /** US cents a month; 0 for Free. */
    monthlyPriceCents: integer("monthly_price_cents").notNull(),
    /** US cents a year; null where the plan is not sold by the year. */
    annualPriceCents: integer("annual_price_cents"),
    stripeProductId: text("stripe_product_id"),
    stripeMonthlyPriceId: text("stripe_monthly_price_id"),
    stripeAnnualPriceId: text("stripe_annual_price_id"),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("plans_hours_positive", sql`${table.hoursPerMonth} > 0`),
    check(
      "plans_prices_not_negative",
      sql`${table.monthlyPriceCents} >= 0 and ${table.annualPriceCents} >= 0`,
    ),
  ],
);

/** At most one row a user. No row is the Free plan, inactive. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    tier: tier("tier")
      .notNull()
      .references(() => plans.tier),
    status: subscriptionStatus("status").notNull(),
    interval: billingInterval("billing_interval"),
    currentPeriodEnd: moment("current_period_end"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    stripeCustomerId: text("stripe_customer_id").unique(),
    stripeSubscriptionId: text("stripe_subscription_id").unique(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("subscriptions_period_end_idx").on(table.currentPeriodEnd)],
);

/** Stripe's event ids: an event that is here was dealt with. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    processedAt: moment("processed_at").notNull().defaultNow(),
  },
  (table) => [index("webhook_events_processed_at_idx").on(table.processedAt)],
);

/**
 * Recorded time, one row for each segment of a recording. A flush writes the segment's total so far,
 * so writing it twice counts once. A deleted lecture leaves its time here.
 */
export const usageLedger = pgTable(
  "usage_ledger",
  {
    recordingId: uuid("recording_id").notNull(),
    segment: integer("segment").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    lectureId: uuid("lecture_id").references(() => lectures.id, { onDelete: "set null" }),
    /** First day of the calendar month (UTC) that the time counts for. */
    month: date("month").notNull(),
    recordedMs: integer("recorded_ms").notNull().default(0),
    startedAt: moment("started_at").notNull(),
    flushedAt: moment("flushed_at").notNull(),
    /** Set by the flush at stop; a segment of a room that died stays open until the cron closes it. */
    closedAt: moment("closed_at"),
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
