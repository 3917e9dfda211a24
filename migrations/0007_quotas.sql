CREATE TABLE "user_storage" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL,
	"lectures" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "entry_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "bytes" bigint GENERATED ALWAYS AS (entry_bytes + octet_length(title) + octet_length(original_text)
          + octet_length(translated_text) + coalesce(octet_length(summary), 0)
          + coalesce(octet_length(context), 0) + octet_length(speaker_names::text)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "user_storage" ADD CONSTRAINT "user_storage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know.
UPDATE "lectures" SET "entry_bytes" = held.bytes FROM (
	SELECT "lecture_id", sum(octet_length("english") + octet_length("translated") + coalesce(octet_length("speaker"), 0) + 64) AS bytes
	FROM "transcript_entries" GROUP BY "lecture_id"
) AS held WHERE "lectures"."id" = held."lecture_id";--> statement-breakpoint
INSERT INTO "user_storage" ("user_id", "bytes", "lectures")
	SELECT "user_id", sum("bytes"), count(*) FROM "lectures" GROUP BY "user_id";--> statement-breakpoint
CREATE FUNCTION "count_added_lectures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO user_storage AS storage (user_id, bytes, lectures)
	SELECT user_id, sum(bytes), count(*) FROM added GROUP BY user_id ORDER BY user_id
	ON CONFLICT (user_id) DO UPDATE SET bytes = storage.bytes + excluded.bytes,
		lectures = storage.lectures + excluded.lectures;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lectures_added" AFTER INSERT ON "lectures"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_added_lectures"();--> statement-breakpoint
CREATE FUNCTION "count_removed_lectures"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE user_storage SET bytes = user_storage.bytes - gone.bytes, lectures = user_storage.lectures - gone.lectures
	FROM (SELECT user_id, sum(bytes) AS bytes, count(*) AS lectures FROM removed GROUP BY user_id) AS gone
	WHERE user_storage.user_id = gone.user_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lectures_removed" AFTER DELETE ON "lectures"
	REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_removed_lectures"();--> statement-breakpoint
CREATE FUNCTION "count_resized_lecture"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE user_storage SET bytes = bytes + NEW.bytes - OLD.bytes WHERE user_id = NEW.user_id;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lectures_resized" AFTER UPDATE ON "lectures"
	FOR EACH ROW WHEN (NEW.bytes <> OLD.bytes) EXECUTE FUNCTION "count_resized_lecture"();--> statement-breakpoint
-- Statements of this role in this database end after 5 s, unless a transaction asks for more. A role may
-- set its own defaults, whoever owns the database; sessions that begin from now on have it.
DO $$ BEGIN
	EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = %L', current_user, current_database(), '5s');
END $$;
