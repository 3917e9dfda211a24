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
CREATE TABLE "reader_translations" (
	"lecture_id" uuid NOT NULL,
	"language" "target_language" NOT NULL,
	"start_ms" integer NOT NULL,
	"original_hash" text NOT NULL,
	"translated" text NOT NULL,
	CONSTRAINT "reader_translations_pk" PRIMARY KEY("lecture_id","language","start_ms","original_hash"),
	CONSTRAINT "reader_translations_start_not_negative" CHECK ("reader_translations"."start_ms" >= 0)
);
--> statement-breakpoint
ALTER TABLE "transcript_entries" ALTER COLUMN "english" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "source_language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "is_two_way" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "original" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_entries" ADD COLUMN "spoken_in" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "reader_translations" ADD CONSTRAINT "reader_translations_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- `english` is now called `original`. The version before reads and writes the former name until the new one has taken
-- its place, so both columns hold the same text, whichever is written. The next release drops the former names.
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
-- Only this transaction sees the empty function: copying the text changes nothing that the search has indexed.
CREATE OR REPLACE FUNCTION "queue_changed_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RETURN NULL;
END $$;--> statement-breakpoint
UPDATE "transcript_entries" SET "original" = "english" WHERE "original" <> "english";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "queue_changed_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT DISTINCT changed.lecture_id, changed.position / 32, lectures.user_id
	FROM changed JOIN lectures ON lectures.id = changed.lecture_id
	ORDER BY 1, 2
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;--> statement-breakpoint
INSERT INTO "reader_translations" ("lecture_id", "language", "start_ms", "original_hash", "translated")
	SELECT "lecture_id", "language", "start_ms", "english_hash", "translated" FROM "share_translations";
