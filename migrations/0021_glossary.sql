CREATE TYPE "public"."term_origin" AS ENUM('person', 'table', 'file', 'lecture');--> statement-breakpoint
CREATE TABLE "glossary_terms" (
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"folder_id" uuid,
	"language" text NOT NULL,
	"term" text NOT NULL,
	"key" text NOT NULL,
	"translations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"origin_kind" "term_origin" NOT NULL,
	"origin_name" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"is_left_out" boolean DEFAULT false NOT NULL,
	"bytes" bigint GENERATED ALWAYS AS (octet_length(term) + octet_length(key) + octet_length(translations::text)
          + octet_length(note) + octet_length(origin_name) + 64) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "glossary_terms_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "glossary_terms_folder_language_key" UNIQUE NULLS NOT DISTINCT("user_id","folder_id","language","key"),
	CONSTRAINT "glossary_terms_term_not_blank" CHECK (btrim("glossary_terms"."term") <> '')
);
--> statement-breakpoint
ALTER TABLE "glossary_terms" ADD CONSTRAINT "glossary_terms_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glossary_terms" ADD CONSTRAINT "glossary_terms_folder_same_user_fk" FOREIGN KEY ("folder_id","user_id") REFERENCES "public"."folders"("id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "glossary_terms_folder_idx" ON "glossary_terms" USING btree ("folder_id");--> statement-breakpoint
-- From here on by hand: what drizzle-kit does not know. Terms count towards the user's storage.
CREATE FUNCTION "count_glossary_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP IN ('INSERT', 'UPDATE') THEN
		INSERT INTO user_storage AS storage (user_id, bytes, lectures)
		SELECT user_id, sum(bytes), 0 FROM added GROUP BY user_id ORDER BY user_id
		ON CONFLICT (user_id) DO UPDATE SET bytes = storage.bytes + excluded.bytes;
	END IF;
	IF TG_OP IN ('UPDATE', 'DELETE') THEN
		UPDATE user_storage SET bytes = user_storage.bytes - gone.bytes
		FROM (SELECT user_id, sum(bytes) AS bytes FROM removed GROUP BY user_id) AS gone
		WHERE user_storage.user_id = gone.user_id;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "glossary_terms_added" AFTER INSERT ON "glossary_terms"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_glossary_terms"();--> statement-breakpoint
CREATE TRIGGER "glossary_terms_changed" AFTER UPDATE ON "glossary_terms"
	REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_glossary_terms"();--> statement-breakpoint
CREATE TRIGGER "glossary_terms_removed" AFTER DELETE ON "glossary_terms"
	REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "count_glossary_terms"();
