CREATE FUNCTION "queue_changed_notes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- A changed mark may have had a note.
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT DISTINCT changed.lecture_id, -4, lectures.user_id
	FROM changed JOIN lectures ON lectures.id = changed.lecture_id
	WHERE changed.note <> '' OR TG_OP = 'UPDATE'
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "marks_inserted" AFTER INSERT ON "marks"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_notes"();--> statement-breakpoint
CREATE TRIGGER "marks_updated" AFTER UPDATE ON "marks"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_notes"();--> statement-breakpoint
CREATE TRIGGER "marks_deleted" AFTER DELETE ON "marks"
	REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_notes"();--> statement-breakpoint
INSERT INTO "search_queue" ("lecture_id", "passage", "user_id")
	SELECT DISTINCT "marks"."lecture_id", -4, "user_id"
	FROM "marks" JOIN "lectures" ON "lectures"."id" = "lecture_id" WHERE "note" <> ''
	UNION ALL
	-- A draft's date is no title any more.
	SELECT "id", -1, "user_id" FROM "lectures" WHERE "title_source" = 'date'
	ON CONFLICT ("lecture_id", "passage") DO UPDATE SET "changes" = "search_queue"."changes" + 1;
