CREATE TYPE "public"."member_role" AS ENUM('reads', 'corrects');--> statement-breakpoint
CREATE TABLE "lecture_members" (
	"lecture_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" "member_role" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lecture_members_lecture_id_email_pk" PRIMARY KEY("lecture_id","email"),
	CONSTRAINT "lecture_members_email_lower_case" CHECK ("lecture_members"."email" = lower(btrim("lecture_members"."email")))
);
--> statement-breakpoint
ALTER TABLE "marks" ADD COLUMN "edited_by" uuid;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "edited_by" uuid;--> statement-breakpoint
ALTER TABLE "lecture_members" ADD CONSTRAINT "lecture_members_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lecture_members" ADD CONSTRAINT "lecture_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lecture_members_user_id_idx" ON "lecture_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "lecture_members_email_idx" ON "lecture_members" USING btree ("email");--> statement-breakpoint
ALTER TABLE "marks" ADD CONSTRAINT "marks_edited_by_users_id_fk" FOREIGN KEY ("edited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD CONSTRAINT "transcript_entries_edited_by_users_id_fk" FOREIGN KEY ("edited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "marks_edited_by_idx" ON "marks" USING btree ("edited_by") WHERE "marks"."edited_by" is not null;--> statement-breakpoint
CREATE INDEX "transcript_entries_edited_by_idx" ON "transcript_entries" USING btree ("edited_by") WHERE "transcript_entries"."edited_by" is not null;