CREATE TYPE "public"."quiz_kind" AS ENUM('choice', 'cloze', 'short', 'card');--> statement-breakpoint
CREATE TABLE "quiz_questions" (
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"lecture_id" uuid NOT NULL,
	"kind" "quiz_kind" NOT NULL,
	"prompt" text NOT NULL,
	"choices" jsonb NOT NULL,
	"answer" text NOT NULL,
	"rows" jsonb NOT NULL,
	"language" text NOT NULL,
	"memory" jsonb,
	"due_at" timestamp (3) with time zone NOT NULL,
	"review_ids" uuid[] DEFAULT '{}' NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"bytes" bigint GENERATED ALWAYS AS (octet_length(prompt) + octet_length(choices::text) + octet_length(answer) + octet_length(rows::text) + 1024) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quiz_questions_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "quiz_questions_not_blank" CHECK (btrim("quiz_questions"."prompt") <> '' and btrim("quiz_questions"."answer") <> '')
);
--> statement-breakpoint
ALTER TABLE "quiz_questions" ADD CONSTRAINT "quiz_questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quiz_questions" ADD CONSTRAINT "quiz_questions_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quiz_questions_due_idx" ON "quiz_questions" USING btree ("user_id","due_at","id");--> statement-breakpoint
CREATE INDEX "quiz_questions_lecture_idx" ON "quiz_questions" USING btree ("lecture_id");--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know. Questions count towards the user's storage, and keep their size.
CREATE TRIGGER "quiz_questions_added" AFTER INSERT ON "quiz_questions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_bytes"();--> statement-breakpoint
CREATE TRIGGER "quiz_questions_removed" AFTER DELETE ON "quiz_questions"
	REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_bytes"();
