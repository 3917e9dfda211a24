CREATE TYPE "public"."audio_codec" AS ENUM('pcm_s16le', 'opus');--> statement-breakpoint
CREATE TABLE "recording_takes" (
	"lecture_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"codec" "audio_codec" NOT NULL,
	"captured_ms" integer NOT NULL,
	"acknowledged_ms" integer NOT NULL,
	"transcribed_ms" integer NOT NULL,
	"missing_ms" integer NOT NULL,
	"gaps" jsonb NOT NULL,
	CONSTRAINT "recording_takes_lecture_id_id_pk" PRIMARY KEY("lecture_id","id"),
	CONSTRAINT "recording_takes_not_negative" CHECK (least("recording_takes"."captured_ms", "recording_takes"."acknowledged_ms", "recording_takes"."transcribed_ms", "recording_takes"."missing_ms") >= 0)
);
--> statement-breakpoint
ALTER TABLE "recording_takes" ADD CONSTRAINT "recording_takes_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;