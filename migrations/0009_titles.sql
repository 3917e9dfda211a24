CREATE TYPE "public"."title_source" AS ENUM('date', 'proposed', 'person');--> statement-breakpoint
DROP INDEX "folders_user_name_idx";--> statement-breakpoint
ALTER TABLE "folders" ADD COLUMN "sort_name" text collate "C" GENERATED ALWAYS AS (regexp_replace(regexp_replace(lower(name collate "C"), '([0-9]+)', '0000000000\1', 'g'), '[0-9]*([0-9]{10})', '\1', 'g')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "title_source" "title_source" DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "translated_preview" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "folders_user_name_idx" ON "folders" USING btree ("user_id","sort_name","id") WHERE "folders"."deleted_at" is null;--> statement-breakpoint
UPDATE "lectures" SET "title_source" = 'date'
WHERE "status" = 'draft' AND "title" ~ '^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$';--> statement-breakpoint
UPDATE "lectures" SET "translated_preview" = "beginning"."text"
FROM (
	SELECT "lecture_id", left(string_agg("translated", ' ' ORDER BY "position"), 151) AS "text"
	FROM "transcript_entries" INNER JOIN "lectures" AS "of" ON "of"."id" = "lecture_id"
	WHERE "position" < 20 AND "translated" NOT IN ('', '[Translation Failed]')
		AND coalesce("translated_into", "of"."target_language") = "of"."target_language"
	GROUP BY "lecture_id"
) AS "beginning"
WHERE "beginning"."lecture_id" = "lectures"."id";
