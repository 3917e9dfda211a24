CREATE TYPE "public"."room_kind" AS ENUM('recording', 'share');--> statement-breakpoint
CREATE TABLE "unscheduled_rooms" (
	"kind" "room_kind" NOT NULL,
	"id" uuid NOT NULL,
	CONSTRAINT "unscheduled_rooms_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
-- Every Durable Object that the database still knows.
INSERT INTO "unscheduled_rooms" ("kind", "id")
	SELECT 'recording'::"room_kind", "recording_id" FROM "usage_ledger"
	UNION SELECT 'recording'::"room_kind", "recording_id" FROM "guest_usage"
	UNION SELECT 'recording'::"room_kind", "id" FROM "lectures"
	UNION SELECT 'share'::"room_kind", "id" FROM "shares";
