CREATE TYPE "public"."slide_kind" AS ENUM('full', 'thumbnail');--> statement-breakpoint
CREATE TYPE "public"."slide_placed_by" AS ENUM('person', 'words', 'time');--> statement-breakpoint
CREATE TYPE "public"."slide_source" AS ENUM('file', 'screen', 'camera');--> statement-breakpoint
CREATE TABLE "slide_pictures" (
	"user_id" uuid NOT NULL,
	"slide_id" uuid NOT NULL,
	"kind" "slide_kind" NOT NULL,
	"type" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "slide_pictures_user_id_slide_id_kind_pk" PRIMARY KEY("user_id","slide_id","kind")
);
--> statement-breakpoint
CREATE TABLE "slides" (
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"lecture_id" uuid NOT NULL,
	"row_id" uuid,
	"at_ms" integer,
	"page" integer,
	"file_name" text,
	"source" "slide_source" NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"placed_by" "slide_placed_by" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"full_bytes" integer DEFAULT 0 NOT NULL,
	"thumbnail_bytes" integer DEFAULT 0 NOT NULL,
	"bytes" bigint GENERATED ALWAYS AS (octet_length(text) + coalesce(octet_length(file_name), 0) + full_bytes + thumbnail_bytes + 256) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "slides_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "slides_not_negative" CHECK (least("slides"."at_ms", "slides"."page", "slides"."width", "slides"."height", "slides"."full_bytes", "slides"."thumbnail_bytes") >= 0)
);
--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "shows_slides" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "slide_pictures" ADD CONSTRAINT "slide_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slide_pictures" ADD CONSTRAINT "slide_pictures_slide_fk" FOREIGN KEY ("user_id","slide_id") REFERENCES "public"."slides"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slides" ADD CONSTRAINT "slides_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slides" ADD CONSTRAINT "slides_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "slides_lecture_idx" ON "slides" USING btree ("lecture_id");--> statement-breakpoint
CREATE INDEX "slides_user_bytes_idx" ON "slides" USING btree ("user_id","bytes");--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know. Pictures are compressed already.
ALTER TABLE "slide_pictures" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE FUNCTION "queue_changed_slides"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT DISTINCT changed.lecture_id, -5, lectures.user_id
	FROM changed JOIN lectures ON lectures.id = changed.lecture_id
	WHERE changed.text <> ''
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;--> statement-breakpoint
-- A statement's trigger cannot be for one column, and pictures and places change more often than words.
CREATE FUNCTION "queue_changed_slide"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id) VALUES (NEW.lecture_id, -5, NEW.user_id)
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "slides_inserted" AFTER INSERT ON "slides"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_slides"();--> statement-breakpoint
CREATE TRIGGER "slides_updated" AFTER UPDATE OF "text" ON "slides"
	FOR EACH ROW WHEN (OLD."text" IS DISTINCT FROM NEW."text") EXECUTE FUNCTION "queue_changed_slide"();--> statement-breakpoint
CREATE TRIGGER "slides_deleted" AFTER DELETE ON "slides"
	REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_slides"();
