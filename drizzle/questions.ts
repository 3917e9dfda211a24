import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { TranslationLanguage } from "#shared/languages.ts";
import { type CitedRow, questionKinds, type Statement } from "#shared/question.ts";
import { createdAt, userId } from "./accounts.ts";
import { folders, lectures } from "./library.ts";

export const questionKind = pgEnum("question_kind", questionKinds);

/**
 * Questions about a lecture, about a folder or, with neither, about the whole library, and their answers. They are in
 * the trash with their lecture or folder.
 */
export const questions = pgTable(
  "questions",
  {
    /** Chosen by the browser. */
    id: uuid("id").notNull(),
    userId: userId(),
    lectureId: uuid("lecture_id").references(() => lectures.id, { onDelete: "cascade" }),
    folderId: uuid("folder_id"),
    kind: questionKind("kind").notNull(),
    question: text("question").notNull(),
    /** Id of the question before; it may be deleted. */
    follows: uuid("follows"),
    /** Empty: it was not said. */
    statements: jsonb("statements").$type<Statement[]>().notNull(),
    nearest: jsonb("nearest").$type<CitedRow[]>().notNull(),
    answeredIn: text("answered_in").$type<TranslationLanguage>().notNull(),
    /** Bytes that the question adds to `user_storage`. */
    bytes: bigint("bytes", { mode: "number" })
      .notNull()
      .generatedAlwaysAs(
        sql`octet_length(question) + octet_length(statements::text) + octet_length(nearest::text) + 64`,
      ),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    foreignKey({
      name: "questions_folder_same_user_fk",
      columns: [table.folderId, table.userId],
      foreignColumns: [folders.id, folders.userId],
    }).onDelete("cascade"),
    index("questions_scope_idx").on(
      table.userId,
      table.lectureId,
      table.folderId,
      table.createdAt.desc(),
    ),
    // For the deletion of a lecture or a folder.
    index("questions_lecture_idx").on(table.lectureId),
    index("questions_folder_idx").on(table.folderId),
    check("questions_one_scope", sql`${table.lectureId} is null or ${table.folderId} is null`),
    check("questions_not_blank", sql`btrim(${table.question}) <> ''`),
  ],
);
