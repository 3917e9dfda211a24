CREATE TYPE "public"."payment_state" AS ENUM('ok', 'past_due');--> statement-breakpoint
ALTER TABLE "plans" DROP CONSTRAINT "plans_prices_not_negative";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "payment_state" "payment_state" DEFAULT 'ok' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "checkout_opened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "sync_started" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "sync_applied" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "synced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "annual_price_cents";--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "stripe_product_id";--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "stripe_monthly_price_id";--> statement-breakpoint
ALTER TABLE "plans" DROP COLUMN "stripe_annual_price_id";--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_prices_not_negative" CHECK ("plans"."monthly_price_cents" >= 0);