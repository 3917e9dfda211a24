CREATE TYPE "public"."question_kind" AS ENUM('asked', 'key_points', 'open_questions');--> statement-breakpoint
CREATE TABLE "questions" (
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"lecture_id" uuid,
	"folder_id" uuid,
	"kind" "question_kind" NOT NULL,
	"question" text NOT NULL,
	"follows" uuid,
	"statements" jsonb NOT NULL,
	"nearest" jsonb NOT NULL,
	"answered_in" text NOT NULL,
	"bytes" bigint GENERATED ALWAYS AS (octet_length(question) + octet_length(statements::text) + octet_length(nearest::text) + 64) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "questions_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "questions_one_scope" CHECK ("questions"."lecture_id" is null or "questions"."folder_id" is null),
	CONSTRAINT "questions_not_blank" CHECK (btrim("questions"."question") <> '')
);
--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_folder_same_user_fk" FOREIGN KEY ("folder_id","user_id") REFERENCES "public"."folders"("id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "questions_scope_idx" ON "questions" USING btree ("user_id","lecture_id","folder_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "questions_lecture_idx" ON "questions" USING btree ("lecture_id");--> statement-breakpoint
CREATE INDEX "questions_folder_idx" ON "questions" USING btree ("folder_id");--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know. Questions count towards the user's storage, as terms do.
ALTER FUNCTION "count_glossary_terms"() RENAME TO "count_stored_bytes";--> statement-breakpoint
CREATE TRIGGER "questions_added" AFTER INSERT ON "questions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_bytes"();--> statement-breakpoint
CREATE TRIGGER "questions_removed" AFTER DELETE ON "questions"
	REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_stored_bytes"();
