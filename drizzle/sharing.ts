import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { memberRoles } from "#shared/people.ts";
import { shareModes } from "#shared/share.ts";
import { createdAt, id, timestamptz, userId } from "./accounts.ts";
import { lectureId, targetLanguage } from "./library.ts";

export const shareMode = pgEnum("share_mode", shareModes);

/** A lecture that others read along. A lecture has one active share; a renewed link is another share. */
export const shares = pgTable(
  "shares",
  {
    id: id(),
    lectureId: lectureId(),
    userId: userId(),
    /** SHA-256 of the link's secret. */
    codeHash: text("code_hash").notNull().unique(),
    mode: shareMode("mode").notNull(),
    mayCopy: boolean("may_copy").notNull(),
    /** Readers see the lecture's slides. */
    showsSlides: boolean("shows_slides").notNull().default(false),
    createdAt: createdAt(),
    /** Ended shares are kept for some days, so that their links say so. */
    endedAt: timestamptz("ended_at"),
  },
  (table) => [
    uniqueIndex("shares_active_lecture_key")
      .on(table.lectureId)
      .where(sql`${table.endedAt} is null`),
    index("shares_lecture_id_idx").on(table.lectureId),
    index("shares_user_id_idx").on(table.userId),
    index("shares_ended_at_idx").on(table.endedAt),
  ],
);

export const memberRole = pgEnum("member_role", memberRoles);

/**
 * People whom the owner `user_id` has given access to a lecture, by address: whoever has the account that has confirmed it.
 * src/server/people/access.ts decides what they may do.
 */
export const lectureMembers = pgTable(
  "lecture_members",
  {
    lectureId: lectureId(),
    userId: userId(),
    /** As in `users`. There may be no account. */
    email: text("email").notNull(),
    role: memberRole("role").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.email] }),
    index("lecture_members_user_id_idx").on(table.userId),
    index("lecture_members_email_idx").on(table.email),
    check("lecture_members_email_lower_case", sql`${table.email} = lower(btrim(${table.email}))`),
  ],
);

/** Translations for readers, into languages other than the owner's. Deleted with the lecture's last share. */
export const readerTranslations = pgTable(
  "reader_translations",
  {
    lectureId: lectureId(),
    language: targetLanguage("language").notNull(),
    /** Start and hash of the sentence, whose position may change: see `hashSentence` in src/server/sharing. */
    startMs: integer("start_ms").notNull(),
    originalHash: text("original_hash").notNull(),
    translated: text("translated").notNull(),
  },
  (table) => [
    primaryKey({
      name: "reader_translations_pk",
      columns: [table.lectureId, table.language, table.startMs, table.originalHash],
    }),
    check("reader_translations_start_not_negative", sql`${table.startMs} >= 0`),
  ],
);

export const roomKind = pgEnum("room_kind", ["recording", "share"]);

/**
 * Durable Objects of versions that never deleted their storage, as far as the database knew them when this table was
 * created. The cron calls each once, which sets its alarm, and deletes the row.
 */
export const unscheduledRooms = pgTable(
  "unscheduled_rooms",
  { kind: roomKind("kind").notNull(), id: uuid("id").notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);
