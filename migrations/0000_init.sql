CREATE TYPE "public"."one_time_token_type" AS ENUM('signup', 'recovery');--> statement-breakpoint
CREATE TYPE "public"."theme" AS ENUM('light', 'dark');--> statement-breakpoint
CREATE TYPE "public"."billing_interval" AS ENUM('month', 'year');--> statement-breakpoint
CREATE TYPE "public"."subscription_status" AS ENUM('active', 'inactive', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."tier" AS ENUM('free', 'pro', 'premium');--> statement-breakpoint
CREATE TYPE "public"."lecture_status" AS ENUM('draft', 'completed');--> statement-breakpoint
CREATE TYPE "public"."target_language" AS ENUM('none', 'es', 'zh', 'zh-cn', 'fr', 'de', 'ru', 'hi', 'ja', 'ko', 'ar');--> statement-breakpoint
CREATE TABLE "one_time_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" "one_time_token_type" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"theme" "theme" DEFAULT 'light' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_lower_case" CHECK ("users"."email" = lower(btrim("users"."email")))
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"tier" "tier" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"hours_per_month" integer NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"annual_price_cents" integer,
	"stripe_product_id" text,
	"stripe_monthly_price_id" text,
	"stripe_annual_price_id" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plans_name_unique" UNIQUE("name"),
	CONSTRAINT "plans_hours_positive" CHECK ("plans"."hours_per_month" > 0),
	CONSTRAINT "plans_prices_not_negative" CHECK ("plans"."monthly_price_cents" >= 0 and "plans"."annual_price_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"tier" "tier" NOT NULL,
	"status" "subscription_status" NOT NULL,
	"billing_interval" "billing_interval",
	"current_period_end" timestamp (3) with time zone,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"stripe_customer_id" text,
	"stripe_subscription_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_stripe_customer_id_unique" UNIQUE("stripe_customer_id"),
	CONSTRAINT "subscriptions_stripe_subscription_id_unique" UNIQUE("stripe_subscription_id")
);
--> statement-breakpoint
CREATE TABLE "usage_ledger" (
	"recording_id" uuid NOT NULL,
	"segment" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"lecture_id" uuid,
	"month" date NOT NULL,
	"recorded_ms" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"flushed_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "usage_ledger_recording_id_segment_pk" PRIMARY KEY("recording_id","segment"),
	CONSTRAINT "usage_ledger_not_negative" CHECK ("usage_ledger"."segment" >= 0 and "usage_ledger"."recorded_ms" >= 0),
	CONSTRAINT "usage_ledger_month_first_day" CHECK (extract(day from "usage_ledger"."month") = 1)
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"processed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "folders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"parent_folder_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "folders_id_user_id_key" UNIQUE("id","user_id"),
	CONSTRAINT "folders_name_trimmed" CHECK ("folders"."name" = btrim("folders"."name") and "folders"."name" <> ''),
	CONSTRAINT "folders_not_own_parent" CHECK ("folders"."parent_folder_id" <> "folders"."id")
);
--> statement-breakpoint
CREATE TABLE "lectures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"status" "lecture_status" DEFAULT 'draft' NOT NULL,
	"folder_id" uuid,
	"target_language" "target_language" NOT NULL,
	"original_text" text DEFAULT '' NOT NULL,
	"translated_text" text DEFAULT '' NOT NULL,
	"summary" text,
	"context" text,
	"preview" text DEFAULT '' NOT NULL,
	"used_time" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "lectures_title_not_blank" CHECK (btrim("lectures"."title") <> ''),
	CONSTRAINT "lectures_used_time_not_negative" CHECK ("lectures"."used_time" >= 0)
);
--> statement-breakpoint
CREATE TABLE "transcript_entries" (
	"lecture_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"english" text NOT NULL,
	"translated" text NOT NULL,
	"speaker" text,
	"start_ms" integer NOT NULL,
	"end_ms" integer NOT NULL,
	"revision" integer NOT NULL,
	CONSTRAINT "transcript_entries_lecture_id_position_pk" PRIMARY KEY("lecture_id","position"),
	CONSTRAINT "transcript_entries_order" CHECK ("transcript_entries"."position" >= 0 and "transcript_entries"."start_ms" >= 0 and "transcript_entries"."end_ms" >= "transcript_entries"."start_ms" and "transcript_entries"."revision" >= 0)
);
--> statement-breakpoint
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_tier_plans_tier_fk" FOREIGN KEY ("tier") REFERENCES "public"."plans"("tier") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_ledger" ADD CONSTRAINT "usage_ledger_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_ledger" ADD CONSTRAINT "usage_ledger_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_parent_same_user_fk" FOREIGN KEY ("parent_folder_id","user_id") REFERENCES "public"."folders"("id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lectures" ADD CONSTRAINT "lectures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lectures" ADD CONSTRAINT "lectures_folder_same_user_fk" FOREIGN KEY ("folder_id","user_id") REFERENCES "public"."folders"("id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD CONSTRAINT "transcript_entries_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "one_time_tokens_user_id_idx" ON "one_time_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "one_time_tokens_expires_at_idx" ON "one_time_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_user_id_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "subscriptions_period_end_idx" ON "subscriptions" USING btree ("current_period_end");--> statement-breakpoint
CREATE INDEX "usage_ledger_user_month_idx" ON "usage_ledger" USING btree ("user_id","month");--> statement-breakpoint
CREATE INDEX "usage_ledger_lecture_id_idx" ON "usage_ledger" USING btree ("lecture_id");--> statement-breakpoint
CREATE INDEX "usage_ledger_open_idx" ON "usage_ledger" USING btree ("flushed_at") WHERE "usage_ledger"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_events_processed_at_idx" ON "webhook_events" USING btree ("processed_at");--> statement-breakpoint
CREATE INDEX "folders_user_name_idx" ON "folders" USING btree ("user_id","name","id");--> statement-breakpoint
CREATE INDEX "folders_parent_idx" ON "folders" USING btree ("parent_folder_id");--> statement-breakpoint
CREATE INDEX "folders_deleted_at_idx" ON "folders" USING btree ("deleted_at") WHERE "folders"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "lectures_user_created_idx" ON "lectures" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "lectures_folder_created_idx" ON "lectures" USING btree ("folder_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "lectures_deleted_at_idx" ON "lectures" USING btree ("deleted_at") WHERE "lectures"."deleted_at" is not null;