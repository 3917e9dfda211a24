CREATE TABLE "marks" (
	"lecture_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at_ms" integer NOT NULL,
	"position" integer,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "marks_lecture_id_id_pk" PRIMARY KEY("lecture_id","id"),
	CONSTRAINT "marks_not_negative" CHECK ("marks"."at_ms" >= 0 and "marks"."position" >= 0)
);
--> statement-breakpoint
ALTER TABLE "marks" ADD CONSTRAINT "marks_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;