ALTER TABLE "plans" ADD COLUMN "readers_max" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "reader_languages_max" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- Of the plans that exist; a new database gets its rows from drizzle/seed.ts.
UPDATE "plans" SET "readers_max" = 200, "reader_languages_max" = 3 WHERE "tier" = 'pro';--> statement-breakpoint
UPDATE "plans" SET "readers_max" = 1000, "reader_languages_max" = 10 WHERE "tier" = 'premium';--> statement-breakpoint
ALTER TABLE "plans" ALTER COLUMN "readers_max" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "plans" ALTER COLUMN "reader_languages_max" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_readers_positive" CHECK (least("plans"."readers_max", "plans"."reader_languages_max") > 0);
