CREATE TABLE "daily_counters" (
	"day" date NOT NULL,
	"key" text NOT NULL,
	"amount" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "daily_counters_day_key_pk" PRIMARY KEY("day","key"),
	CONSTRAINT "daily_counters_not_negative" CHECK ("daily_counters"."amount" >= 0)
);
