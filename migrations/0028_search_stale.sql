-- slice: passages that kept their words when a lecture was recognised again with fewer rows are indexed again.
WITH slice AS MATERIALIZED (
	SELECT "lecture_id", "passage", "user_id" FROM "search_passages"
	WHERE "passage" >= 0
		AND ("lecture_id", "passage") > (coalesce(split_part($1::text, '/', 1), '00000000-0000-0000-0000-000000000000')::uuid,
			coalesce(split_part($1::text, '/', 2), '-1')::int)
	ORDER BY "lecture_id", "passage" LIMIT 1000
),
stale AS MATERIALIZED (
	SELECT slice.* FROM slice JOIN "lectures" ON "lectures"."id" = slice."lecture_id"
	WHERE NOT EXISTS (
		SELECT FROM "transcript_entries" AS entry WHERE entry."lecture_id" = slice."lecture_id"
			AND entry."position" >= slice."passage" * 32 AND entry."position" < (slice."passage" + 1) * 32
	)
	FOR KEY SHARE OF "lectures"
),
queued AS (
	INSERT INTO "search_queue" AS queue ("lecture_id", "passage", "user_id") SELECT * FROM stale
	ON CONFLICT ("lecture_id", "passage") DO UPDATE SET "changes" = queue."changes" + 1
)
SELECT "lecture_id" || '/' || "passage" FROM slice ORDER BY "lecture_id" DESC, "passage" DESC LIMIT 1;
