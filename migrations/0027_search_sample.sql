-- slice: every 64th passage of a transcript, by the last byte of its lecture's id, gets the lexeme of the sample.
WITH slice AS MATERIALIZED (
	SELECT "lecture_id", "passage", "user_id" FROM "search_passages"
	WHERE "passage" >= 0 AND (get_byte(uuid_send("lecture_id"), 15) + "passage") % 64 = 0
		AND ("lecture_id", "passage") > (coalesce(split_part($1::text, '/', 1), '00000000-0000-0000-0000-000000000000')::uuid,
			coalesce(split_part($1::text, '/', 2), '-1')::int)
	ORDER BY "lecture_id", "passage" LIMIT 50
	FOR NO KEY UPDATE OF "search_passages"
),
sampled AS (
	UPDATE "search_passages" AS passage
	SET "words" = passage."words" || array_to_tsvector(ARRAY[encode(substring(uuid_send(slice."user_id") FROM 1 FOR 3), 'base64') || '#'])
	FROM slice WHERE passage."lecture_id" = slice."lecture_id" AND passage."passage" = slice."passage"
)
SELECT "lecture_id" || '/' || "passage" FROM slice ORDER BY "lecture_id" DESC, "passage" DESC LIMIT 1;
