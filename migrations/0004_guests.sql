CREATE TABLE "guest_usage" (
	"recording_id" uuid NOT NULL,
	"segment" integer NOT NULL,
	"day" date NOT NULL,
	"address" text,
	"recorded_ms" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"flushed_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "guest_usage_recording_id_segment_pk" PRIMARY KEY("recording_id","segment"),
	CONSTRAINT "guest_usage_not_negative" CHECK ("guest_usage"."segment" >= 0 and "guest_usage"."recorded_ms" >= 0)
);
--> statement-breakpoint
CREATE INDEX "guest_usage_day_address_idx" ON "guest_usage" USING btree ("day","address");--> statement-breakpoint
CREATE INDEX "guest_usage_open_idx" ON "guest_usage" USING btree ("flushed_at") WHERE "guest_usage"."closed_at" is null;