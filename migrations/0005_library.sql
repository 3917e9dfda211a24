CREATE TYPE "public"."deletion_kind" AS ENUM('lecture', 'folder', 'all_lectures');--> statement-breakpoint
CREATE TABLE "search_passages" (
	"lecture_id" uuid NOT NULL,
	"passage" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "search_passages_lecture_id_passage_pk" PRIMARY KEY("lecture_id","passage")
);
--> statement-breakpoint
CREATE TABLE "search_queue" (
	"lecture_id" uuid NOT NULL,
	"passage" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"changes" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "search_queue_lecture_id_passage_pk" PRIMARY KEY("lecture_id","passage")
);
--> statement-breakpoint
CREATE TABLE "deletions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" "deletion_kind" NOT NULL,
	"name" text NOT NULL,
	"lectures" integer NOT NULL,
	"folders" integer NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deletions_id_user_id_key" UNIQUE("id","user_id"),
	CONSTRAINT "deletions_not_negative" CHECK ("deletions"."lectures" >= 0 and "deletions"."folders" >= 0)
);
--> statement-breakpoint
DROP INDEX "folders_deleted_at_idx";--> statement-breakpoint
DROP INDEX "lectures_folder_created_idx";--> statement-breakpoint
DROP INDEX "lectures_deleted_at_idx";--> statement-breakpoint
DROP INDEX "folders_user_name_idx";--> statement-breakpoint
DROP INDEX "lectures_user_created_idx";--> statement-breakpoint
ALTER TABLE "folders" ADD COLUMN "deletion_id" uuid;--> statement-breakpoint
ALTER TABLE "lectures" ADD COLUMN "deletion_id" uuid;--> statement-breakpoint
ALTER TABLE "search_passages" ADD CONSTRAINT "search_passages_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_queue" ADD CONSTRAINT "search_queue_lecture_id_lectures_id_fk" FOREIGN KEY ("lecture_id") REFERENCES "public"."lectures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "search_passages_words_idx" ON "search_passages" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "search_queue_user_id_idx" ON "search_queue" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "deletions_user_deleted_idx" ON "deletions" USING btree ("user_id","deleted_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "deletions_expires_at_idx" ON "deletions" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_deletion_same_user_fk" FOREIGN KEY ("deletion_id","user_id") REFERENCES "public"."deletions"("id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lectures" ADD CONSTRAINT "lectures_deletion_same_user_fk" FOREIGN KEY ("deletion_id","user_id") REFERENCES "public"."deletions"("id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "folders_user_deletion_idx" ON "folders" USING btree ("user_id","deletion_id");--> statement-breakpoint
CREATE INDEX "lectures_user_folder_created_idx" ON "lectures" USING btree ("user_id","folder_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "lectures"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "lectures_user_uncategorized_idx" ON "lectures" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "lectures"."deleted_at" is null and "lectures"."folder_id" is null;--> statement-breakpoint
CREATE INDEX "lectures_folder_idx" ON "lectures" USING btree ("folder_id");--> statement-breakpoint
CREATE INDEX "lectures_user_deletion_idx" ON "lectures" USING btree ("user_id","deletion_id");--> statement-breakpoint
CREATE INDEX "folders_user_name_idx" ON "folders" USING btree ("user_id","name","id") WHERE "folders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "lectures_user_created_idx" ON "lectures" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "lectures"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_deletion_of_deleted" CHECK ("folders"."deletion_id" is null or "folders"."deleted_at" is not null);--> statement-breakpoint
ALTER TABLE "lectures" ADD CONSTRAINT "lectures_deletion_of_deleted" CHECK ("lectures"."deletion_id" is null or "lectures"."deleted_at" is not null);--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know.
CREATE FUNCTION "queue_changed_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT DISTINCT changed.lecture_id, changed.position / 32, lectures.user_id
	FROM changed JOIN lectures ON lectures.id = changed.lecture_id
	ORDER BY 1, 2
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "transcript_entries_inserted" AFTER INSERT ON "transcript_entries"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_entries"();--> statement-breakpoint
CREATE TRIGGER "transcript_entries_updated" AFTER UPDATE ON "transcript_entries"
	REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "queue_changed_entries"();--> statement-breakpoint
CREATE FUNCTION "queue_changed_lecture"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	fresh boolean := TG_OP = 'INSERT';
BEGIN
	INSERT INTO search_queue AS queue (lecture_id, passage, user_id)
	SELECT NEW.id, passage, NEW.user_id
	FROM (VALUES
		(-3, CASE WHEN fresh THEN NEW.original_text <> '' OR NEW.translated_text <> ''
			ELSE NEW.original_text <> OLD.original_text OR NEW.translated_text <> OLD.translated_text END),
		(-2, CASE WHEN fresh THEN NEW.summary IS NOT NULL ELSE NEW.summary IS DISTINCT FROM OLD.summary END),
		(-1, CASE WHEN fresh THEN true ELSE NEW.title <> OLD.title END)
	) AS parts (passage, is_changed)
	WHERE is_changed
	ON CONFLICT (lecture_id, passage) DO UPDATE SET changes = queue.changes + 1;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lectures_inserted" AFTER INSERT ON "lectures"
	FOR EACH ROW EXECUTE FUNCTION "queue_changed_lecture"();--> statement-breakpoint
CREATE TRIGGER "lectures_updated" AFTER UPDATE OF "title", "summary", "original_text", "translated_text" ON "lectures"
	FOR EACH ROW EXECUTE FUNCTION "queue_changed_lecture"();--> statement-breakpoint
INSERT INTO "search_queue" ("lecture_id", "passage", "user_id")
	SELECT "id", -1, "user_id" FROM "lectures"
	UNION ALL SELECT "id", -2, "user_id" FROM "lectures" WHERE "summary" IS NOT NULL
	UNION ALL SELECT "id", -3, "user_id" FROM "lectures" WHERE "original_text" <> '' OR "translated_text" <> ''
	UNION ALL SELECT DISTINCT entry."lecture_id", entry."position" / 32, lecture."user_id"
	FROM "transcript_entries" entry JOIN "lectures" lecture ON lecture."id" = entry."lecture_id";--> statement-breakpoint
INSERT INTO "deletions" ("id", "user_id", "kind", "name", "lectures", "folders", "deleted_at", "expires_at")
	SELECT "id", "user_id", 'lecture', "title", 1, 0, "deleted_at", "deleted_at" + interval '30 days'
	FROM "lectures" WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
UPDATE "lectures" SET "deletion_id" = "id" WHERE "deleted_at" IS NOT NULL;
