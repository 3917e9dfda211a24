-- Passages with text in a language whose words now have forms in the index are indexed again: by the next searches of
-- their users, or by the cron. Until then they are found as before.
INSERT INTO "search_queue" ("lecture_id", "passage", "user_id")
	SELECT "passage"."lecture_id", "passage"."passage", "passage"."user_id"
	FROM "search_passages" AS "passage" JOIN "lectures" ON "lectures"."id" = "passage"."lecture_id"
	WHERE "lectures"."target_language" IN ('es', 'fr', 'de', 'ru', 'hi', 'ar')
		OR EXISTS (
			SELECT 1 FROM "transcript_entries" AS "entry"
			WHERE "entry"."lecture_id" = "passage"."lecture_id"
				AND "entry"."position" >= 32 * "passage"."passage" AND "entry"."position" < 32 * "passage"."passage" + 32
				AND "entry"."translated_into" IN ('es', 'fr', 'de', 'ru', 'hi', 'ar')
		)
	ON CONFLICT ("lecture_id", "passage") DO UPDATE SET "changes" = "search_queue"."changes" + 1;
