CREATE TYPE "public"."share_mode" AS ENUM('while_recording', 'until_revoked');--> statement-breakpoint
CREATE TABLE "share_translations" (
	"lecture_id" uuid NOT NULL,
	"language" "target_language" NOT NULL,
	"start_ms" integer NOT NULL,
	"english_hash" text NOT NULL,
	"translated" text NOT NULL,
	CONSTRAINT "share_translations_pk" PRIMARY KEY("lecture_id","language","start_ms","english_hash"),
	CONSTRAINT "share_translations_start_not_negative" CHECK ("share_translations"."start_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"lecture_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"mode" "share_mode" NOT NULL,
	"may_copy" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "shares_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
ALTER TABLE "share_translations" ADD CONSTRAINT "share_translations_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shares_active_lecture_key" ON "shares" USING btree ("lecture_id") WHERE "shares"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "shares_lecture_id_idx" ON "shares" USING btree ("lecture_id");--> statement-breakpoint
CREATE INDEX "shares_user_id_idx" ON "shares" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "shares_ended_at_idx" ON "shares" USING btree ("ended_at");