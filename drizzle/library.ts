import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ActionItem } from "#shared/action-item.ts";
import { type SourceLanguage, type SpokenLanguage, targetLanguages } from "#shared/languages.ts";
import { lectureStatuses, titleSources } from "#shared/lecture.ts";
import type { Gap } from "#shared/recorded-take.ts";
import { audioCodecs } from "#shared/relay.ts";
import type { RowFormula } from "#shared/row-formulas.ts";
import { createdAt, id, timestamptz, updatedAt, userId, users } from "./accounts.ts";
import { deletions } from "./trash.ts";

export const lectureStatus = pgEnum("lecture_status", lectureStatuses);
export const titleSource = pgEnum("title_source", titleSources);
export const targetLanguage = pgEnum("target_language", targetLanguages);

/** Nested to any depth. The foreign key contains the owner, so that the parent belongs to the same user. */
export const folders = pgTable(
  "folders",
  {
    id: id(),
    userId: userId(),
    name: text("name").notNull(),
    parentFolderId: uuid("parent_folder_id"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: timestamptz("deleted_at"),
    deletionId: uuid("deletion_id"),
  },
  (table) => [
    unique("folders_id_user_id_key").on(table.id, table.userId),
    foreignKey({
      name: "folders_parent_same_user_fk",
      columns: [table.parentFolderId, table.userId],
      foreignColumns: [table.id, table.userId],
    }),
    foreignKey({
      name: "folders_deletion_same_user_fk",
      columns: [table.deletionId, table.userId],
      foreignColumns: [deletions.id, deletions.userId],
    }),
    index("folders_user_idx").on(table.userId, table.id).where(sql`${table.deletedAt} is null`),
    index("folders_parent_idx").on(table.parentFolderId),
    // Also finds the rows of a deleted account; the other indexes contain only rows that are not in the trash.
    index("folders_user_deletion_idx").on(table.userId, table.deletionId),
    check(
      "folders_deletion_of_deleted",
      sql`${table.deletionId} is null or ${table.deletedAt} is not null`,
    ),
    check(
      "folders_name_trimmed",
      sql`${table.name} = btrim(${table.name}) and ${table.name} <> ''`,
    ),
    check("folders_not_own_parent", sql`${table.parentFolderId} <> ${table.id}`),
  ],
);

/**
 * A lecture without its transcript, which is in `transcript_entries`. `excerpt` is the beginning of the original, so
 * that a list reads no transcript; its columns keep an earlier name. `original_text` and `translated_text` are texts without alignment.
 */
export const lectures = pgTable(
  "lectures",
  {
    id: id(),
    userId: userId(),
    title: text("title").notNull(),
    titleSource: titleSource("title_source").notNull().default("person"),
    status: lectureStatus("status").notNull().default("draft"),
    folderId: uuid("folder_id"),
    sourceLanguage: text("source_language").$type<SourceLanguage>().notNull().default("en"),
    targetLanguage: targetLanguage("target_language").notNull(),
    /** Both languages are spoken: rows in the second one are translated into the first. */
    isTwoWay: boolean("is_two_way").notNull().default(false),
    originalText: text("original_text").notNull().default(""),
    translatedText: text("translated_text").notNull().default(""),
    summary: text("summary"),
    context: text("context"),
    /** Speakers' names by the provider's label. */
    speakerNames: jsonb("speaker_names").$type<Record<string, string>>().notNull().default({}),
    /** Who is to do what until when. Their bytes are in `entry_bytes`. */
    actionItems: jsonb("action_items").$type<ActionItem[]>().notNull().default([]),
    /** Parts of the text are the demo voice's, so nobody said them. Never false again. */
    hasDemoText: boolean("has_demo_text").notNull().default(false),
    excerpt: text("preview").notNull().default(""),
    /** The beginning of the translation into `target_language`. */
    translatedExcerpt: text("translated_preview").notNull().default(""),
    /** Recorded seconds, summed from the usage ledger at each flush. */
    usedTime: integer("used_time").notNull().default(0),
    /** Incremented by each write that changes rows, which then have it as their `seq`. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
    /** The highest `seq` of a deletion that is no longer known: what has changed since an earlier one is not. */
    forgottenSeq: bigint("forgotten_seq", { mode: "number" }).notNull().default(0),
    /** Ordinals below it are not given to new rows: rows that were deleted may have had them. */
    reservedPositions: integer("reserved_positions").notNull().default(0),
    /**
     * Size of the rows and marks: texts in UTF-8, and 64 bytes for each; and of the action items. Whatever writes them
     * updates it.
     */
    entryBytes: bigint("entry_bytes", { mode: "number" }).notNull().default(0),
    /** Bytes that the lecture adds to `user_storage`. */
    bytes: bigint("bytes", { mode: "number" })
      .notNull()
      .generatedAlwaysAs(
        sql`entry_bytes + octet_length(title) + octet_length(original_text)
          + octet_length(translated_text) + coalesce(octet_length(summary), 0)
          + coalesce(octet_length(context), 0) + octet_length(speaker_names::text)`,
      ),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: timestamptz("deleted_at"),
    deletionId: uuid("deletion_id"),
  },
  (table) => [
    foreignKey({
      name: "lectures_folder_same_user_fk",
      columns: [table.folderId, table.userId],
      foreignColumns: [folders.id, folders.userId],
    }),
    foreignKey({
      name: "lectures_deletion_same_user_fk",
      columns: [table.deletionId, table.userId],
      foreignColumns: [deletions.id, deletions.userId],
    }),
    index("lectures_user_created_idx")
      .on(table.userId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    // For a page and the count of one folder, and for all counts without reading lectures.
    index("lectures_user_folder_created_idx")
      .on(table.userId, table.folderId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
    // Postgres does not treat "is null" as an equality, so with the index above it would sort.
    index("lectures_user_uncategorized_idx")
      .on(table.userId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null and ${table.folderId} is null`),
    index("lectures_folder_idx").on(table.folderId),
    // Also finds the rows of a deleted account; the other indexes contain only rows that are not in the trash.
    index("lectures_user_deletion_idx").on(table.userId, table.deletionId),
    check(
      "lectures_deletion_of_deleted",
      sql`${table.deletionId} is null or ${table.deletedAt} is not null`,
    ),
    check("lectures_title_not_blank", sql`btrim(${table.title}) <> ''`),
    check("lectures_used_time_not_negative", sql`${table.usedTime} >= 0`),
  ],
);

/** The lecture of a row, which is deleted with it. */
export const lectureId = () =>
  uuid("lecture_id")
    .notNull()
    .references(() => lectures.id, { onDelete: "cascade" });

/** Totals of a user's lectures, including those in the trash. Triggers on `lectures` update them. */
export const userStorage = pgTable("user_storage", {
  userId: userId().primaryKey(),
  bytes: bigint("bytes", { mode: "number" }).notNull(),
  lectures: integer("lectures").notNull(),
});

/**
 * The account whose person wrote a row's text, or a mark, last; null: the lecture's owner, or nobody. Other people's
 * accounts: see `lecture_members`.
 */
const editedBy = () => uuid("edited_by").references(() => users.id, { onDelete: "set null" });

/** One row per sentence, so that saving costs only what has changed. */
export const transcriptEntries = pgTable(
  "transcript_entries",
  {
    lectureId: lectureId(),
    /** Chosen by the browser, so that a repeated call does not insert twice; unique within the lecture. */
    id: uuid("id").notNull().defaultRandom(),
    /** The lecture's when the row was written; 0 for rows of before 2026-12. */
    seq: bigint("seq", { mode: "number" }).notNull().default(0),
    /**
     * The row's number, which never changes, for the order of rows that begin at the same time and for the passages of the
     * search. The column keeps an earlier name.
     */
    ordinal: integer("position").notNull(),
    original: text("original").notNull().default(""),
    /** Corrected by a person: recognising the sound again does not replace the row. */
    originalByHand: boolean("original_by_hand").notNull().default(false),
    spokenIn: text("spoken_in").$type<SpokenLanguage>().notNull().default("en"),
    translated: text("translated").notNull(),
    /**
     * Language of `translated`, or of a translation that is still missing; null if there is none, or for the lecture's own.
     */
    translatedInto: targetLanguage("translated_into"),
    /** Written by a person; translating again into the same language does not replace it. */
    translatedByHand: boolean("translated_by_hand").notNull().default(false),
    speaker: text("speaker"),
    startMs: integer("start_ms").notNull(),
    endMs: integer("end_ms").notNull(),
    /** That are said in `original`; null: none. */
    formulas: jsonb("formulas").$type<RowFormula[]>(),
    /** Read by pages of the version before only. */
    revision: integer("revision").notNull().default(1),
    editedBy: editedBy(),
  },
  (table) => [
    index("transcript_entries_edited_by_idx")
      .on(table.editedBy)
      .where(sql`${table.editedBy} is not null`),
    primaryKey({ columns: [table.lectureId, table.id] }),
    uniqueIndex("transcript_entries_position_idx").on(table.lectureId, table.ordinal),
    check(
      "transcript_entries_order",
      sql`${table.ordinal} >= 0 and ${table.startMs} >= 0 and ${table.endMs} >= ${table.startMs} and ${table.revision} >= 0`,
    ),
  ],
);

/** Deleted rows of a lecture, so that other tabs and devices learn of it. */
export const deletedEntries = pgTable(
  "deleted_entries",
  {
    lectureId: lectureId(),
    id: uuid("id").notNull(),
    /** The lecture's when the row was deleted. */
    seq: bigint("seq", { mode: "number" }).notNull(),
    deletedAt: timestamptz("deleted_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.id] }),
    index("deleted_entries_deleted_at_idx").on(table.deletedAt),
  ],
);

/** What a person has marked in a lecture. A mark with a text is a note. */
export const marks = pgTable(
  "marks",
  {
    lectureId: lectureId(),
    /** Chosen by the browser, so that a repeated call does not insert twice; unique within the lecture. */
    id: uuid("id").notNull(),
    /** A time in the marked sentence, on the lecture's clock. */
    atMs: integer("at_ms").notNull(),
    /** Position of the marked row where rows have no times; null where the time says which row it is. */
    position: integer("position"),
    note: text("note").notNull().default(""),
    editedBy: editedBy(),
  },
  (table) => [
    index("marks_edited_by_idx").on(table.editedBy).where(sql`${table.editedBy} is not null`),
    primaryKey({ columns: [table.lectureId, table.id] }),
    check("marks_not_negative", sql`${table.atMs} >= 0 and ${table.position} >= 0`),
  ],
);

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
