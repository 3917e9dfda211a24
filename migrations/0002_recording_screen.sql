ALTER TABLE "lectures" ADD COLUMN "speaker_names" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "translated_into" "target_language";--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "translated_by_hand" boolean DEFAULT false NOT NULL;