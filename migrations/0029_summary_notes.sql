CREATE TABLE "summary_notes" (
	"user_id" uuid NOT NULL,
	"lecture_id" uuid NOT NULL,
	"key" text NOT NULL,
	"notes" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "summary_notes_user_id_lecture_id_key_pk" PRIMARY KEY("user_id","lecture_id","key")
);
--> statement-breakpoint
ALTER TABLE "summary_notes" ADD CONSTRAINT "summary_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "summary_notes" ADD CONSTRAINT "summary_notes_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "summary_notes_created_idx" ON "summary_notes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "summary_notes_lecture_idx" ON "summary_notes" USING btree ("lecture_id");