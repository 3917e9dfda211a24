-- slice: the former names' text, of rows from before 0019. In order and locked first, so that no call fails as a deadlock.
WITH setting AS MATERIALIZED (SELECT set_config('dualect.is_copying', 'yes', true)),
slice AS MATERIALIZED (
	SELECT "lecture_id", "position" FROM "transcript_entries", setting
	WHERE ("lecture_id", "position") > (coalesce(split_part($1::text, '/', 1), '00000000-0000-0000-0000-000000000000')::uuid,
		coalesce(split_part($1::text, '/', 2), '-1')::int)
	ORDER BY "lecture_id", "position" LIMIT 5000
	FOR NO KEY UPDATE OF "transcript_entries"
),
copied AS (
	UPDATE "transcript_entries" AS entry SET "original" = entry."english" FROM slice
	WHERE entry."lecture_id" = slice."lecture_id" AND entry."position" = slice."position"
		AND entry."original" = '' AND entry."english" <> ''
)
SELECT "lecture_id" || '/' || "position" FROM slice ORDER BY "lecture_id" DESC, "position" DESC LIMIT 1;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "queue_changed_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT DISTINCT changed.lecture_id, changed.position / 32, lectures.user_id
	FROM changed JOIN lectures ON lectures.id = changed.lecture_id
	ORDER BY 1, 2
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;
