-- In the order of the calls that write entries: the other way round, one of the two would fail as a deadlock.
LOCK TABLE "lectures", "transcript_entries", "share_translations" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'en';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'it';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'pt';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'af';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'az';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'be';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'bg';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'bn';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'bs';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'ca';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'cs';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'cy';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'da';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'el';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'et';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'eu';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'fa';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'fi';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'gl';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'gu';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'he';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'hr';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'hu';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'id';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'kk';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'kn';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'lt';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'lv';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'mk';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'ml';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'mr';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'ms';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'nl';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'no';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'pa';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'pl';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'ro';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'sk';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'sl';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'sq';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'sr';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'sv';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'sw';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'ta';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'te';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'th';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'tl';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'tr';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'uk';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'ur';--> statement-breakpoint
ALTER TYPE "public"."target_language" ADD VALUE 'vi';--> statement-breakpoint
ALTER TABLE "share_translations" RENAME TO "reader_translations";--> statement-breakpoint
ALTER TABLE "reader_translations" RENAME COLUMN "english_hash" TO "original_hash";--> statement-breakpoint
ALTER TABLE "reader_translations" RENAME CONSTRAINT "share_translations_pk" TO "reader_translations_pk";--> statement-breakpoint
ALTER TABLE "reader_translations" RENAME CONSTRAINT "share_translations_start_not_negative" TO "reader_translations_start_not_negative";--> statement-breakpoint
ALTER TABLE "reader_translations" RENAME CONSTRAINT "share_translations_lecture_id_lectures_id_fk" TO "reader_translations_lecture_id_lectures_id_fk";--> statement-breakpoint
ALTER TABLE "transcript_entries" ALTER COLUMN "english" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "source_language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "is_two_way" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "original" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "spoken_in" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know.
-- The version before uses the former names until the new one has taken its place, and again if that is rolled back. The
-- next release drops them (docs/decisions/0057-every-spoken-language.md).
CREATE VIEW "share_translations" AS
	SELECT "lecture_id", "language", "start_ms", "original_hash" AS "english_hash", "translated" FROM "reader_translations";--> statement-breakpoint
-- Both columns have the same text, whichever is written. Rows from before have it once 0020 has copied it.
CREATE FUNCTION "copy_former_english"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		IF NEW.original = '' THEN NEW.original := NEW.english; ELSE NEW.english := NEW.original; END IF;
	ELSIF NEW.original <> OLD.original THEN NEW.english := NEW.original;
	ELSIF NEW.english <> OLD.english THEN NEW.original := NEW.english;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "transcript_entries_former_english" BEFORE INSERT OR UPDATE ON "transcript_entries"
	FOR EACH ROW EXECUTE FUNCTION "copy_former_english"();--> statement-breakpoint
-- Copying changes nothing that the search has indexed.
CREATE OR REPLACE FUNCTION "queue_changed_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('dualect.is_copying', true) = 'yes' THEN RETURN NULL; END IF;
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT DISTINCT changed.lecture_id, changed.position / 32, lectures.user_id
	FROM changed JOIN lectures ON lectures.id = changed.lecture_id
	ORDER BY 1, 2
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;
