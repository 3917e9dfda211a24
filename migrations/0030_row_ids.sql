CREATE TABLE "deleted_entries" (
	"lecture_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deleted_entries_lecture_id_id_pk" PRIMARY KEY("lecture_id","id")
);
--> statement-breakpoint
ALTER TABLE "deleted_entries" ADD CONSTRAINT "deleted_entries_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_entries_deleted_at_idx" ON "deleted_entries" USING btree ("deleted_at");--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "forgotten_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ALTER COLUMN "revision" SET DEFAULT 1;--> statement-breakpoint
-- The version before writes by position, until it is replaced and after a roll-back.
CREATE UNIQUE INDEX "transcript_entries_position_idx" ON "transcript_entries" USING btree ("lecture_id","position");--> statement-breakpoint
ALTER TABLE "transcript_entries" DROP CONSTRAINT "transcript_entries_lecture_id_position_pk";--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD CONSTRAINT "transcript_entries_lecture_id_id_pk" PRIMARY KEY("lecture_id","id");--> statement-breakpoint
-- A missing translation was known by revision 0. From now on its row has its language: see getTranslationLanguage in src/shared/languages.ts.
UPDATE "transcript_entries" AS entry SET "translated_into" = wanted."language"
FROM (
	SELECT waiting."lecture_id", waiting."id", CASE
		WHEN lecture."is_two_way" AND lecture."source_language" <> 'detect' AND waiting."spoken_in" <> lecture."source_language"
				AND waiting."spoken_in" = CASE lecture."target_language" WHEN 'zh-cn' THEN 'zh' ELSE lecture."target_language"::text END
			THEN (CASE lecture."source_language" WHEN 'zh' THEN 'zh-cn' ELSE lecture."source_language" END)::"target_language"
		WHEN (CASE waiting."spoken_in" WHEN 'zh' THEN 'zh-cn' ELSE waiting."spoken_in" END) <> lecture."target_language"::text
			THEN lecture."target_language" END AS "language"
	FROM "transcript_entries" AS waiting JOIN "lectures" AS lecture ON lecture."id" = waiting."lecture_id"
	WHERE waiting."revision" = 0 AND waiting."translated" = '' AND waiting."translated_into" IS NULL
		AND lecture."target_language" <> 'none'
) AS wanted
WHERE entry."lecture_id" = wanted."lecture_id" AND entry."id" = wanted."id" AND wanted."language" IS NOT NULL;
