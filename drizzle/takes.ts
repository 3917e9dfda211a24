import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgEnum, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import type { Gap } from "#shared/recorded-take.ts";
import { audioCodecs } from "#shared/relay.ts";
import { timestamptz } from "./columns.ts";
import { lectureId } from "./library.ts";

export const audioCodec = pgEnum("audio_codec", audioCodecs);

/** What became of the sound of a lecture's takes, as the page that sent it has counted. Lengths are in ms. */
export const recordingTakes = pgTable(
  "recording_takes",
  {
    lectureId: lectureId(),
    /** Chosen by the browser; unique within the lecture. */
    id: uuid("id").notNull(),
    startedAt: timestamptz("started_at").notNull(),
    codec: audioCodec("codec").notNull(),
    /** Acknowledged, missing, and what waits to be sent. */
    capturedMs: integer("captured_ms").notNull(),
    acknowledgedMs: integer("acknowledged_ms").notNull(),
    transcribedMs: integer("transcribed_ms").notNull(),
    missingMs: integer("missing_ms").notNull(),
    gaps: jsonb("gaps").$type<Gap[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.id] }),
    check(
      "recording_takes_not_negative",
      sql`least(${table.capturedMs}, ${table.acknowledgedMs}, ${table.transcribedMs}, ${table.missingMs}) >= 0`,
    ),
  ],
);
