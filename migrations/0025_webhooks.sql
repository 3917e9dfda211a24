CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"body" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"url" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"last_attempt_at" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id_idx" ON "webhook_deliveries" USING btree ("webhook_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_next_attempt_at_idx" ON "webhook_deliveries" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhooks_user_id_idx" ON "webhooks" USING btree ("user_id");--> statement-breakpoint
-- From here on by hand. Whatever saves a lecture for the first time or ends a share, its user's webhooks are told, in the
-- same transaction. A webhook has at most 100 messages waiting.
CREATE FUNCTION "queue_webhook_message"(owner uuid, event text, happened_at timestamptz, data json) RETURNS void LANGUAGE sql AS $$
	INSERT INTO webhook_deliveries (webhook_id, body, next_attempt_at)
	SELECT webhook.id, json_build_object(
		'type', event,
		'timestamp', to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
		'data', data
	)::text, least(happened_at, now())
	FROM webhooks webhook
	WHERE webhook.user_id = owner AND webhook.disabled_at IS NULL
		AND (SELECT count(*) FROM webhook_deliveries waiting WHERE waiting.webhook_id = webhook.id) < 100;
$$;--> statement-breakpoint
CREATE FUNCTION "queue_saved_lecture"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM queue_webhook_message(NEW.user_id, 'lecture.saved', NEW.updated_at, json_build_object('lectureId', NEW.id));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "lectures_saved" AFTER UPDATE OF "status" ON "lectures" FOR EACH ROW
	WHEN (OLD.status = 'draft' AND NEW.status = 'completed') EXECUTE FUNCTION "queue_saved_lecture"();--> statement-breakpoint
CREATE FUNCTION "queue_ended_share"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM queue_webhook_message(NEW.user_id, 'share.ended', NEW.ended_at,
		json_build_object('shareId', NEW.id, 'lectureId', NEW.lecture_id));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "shares_ended" AFTER UPDATE OF "ended_at" ON "shares" FOR EACH ROW
	WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION "queue_ended_share"();
