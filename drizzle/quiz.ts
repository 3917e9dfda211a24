import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import type { TranslationLanguage } from "#shared/languages.ts";
import { type QuizMemory, type QuizRow, quizKinds } from "#shared/quiz.ts";
import { createdAt, timestamptz, userId } from "./accounts.ts";
import { lectureId } from "./library.ts";

export const quizKind = pgEnum("quiz_kind", quizKinds);

/** Questions on a lecture that are asked until they are known, and flashcards. They are in the trash with their lecture. */
export const quizQuestions = pgTable(
  "quiz_questions",
  {
    id: uuid("id").notNull(),
    userId: userId(),
    lectureId: lectureId(),
    kind: quizKind("kind").notNull(),
    prompt: text("prompt").notNull(),
    choices: jsonb("choices").$type<string[]>().notNull(),
    answer: text("answer").notNull(),
    rows: jsonb("rows").$type<QuizRow[]>().notNull(),
    language: text("language").$type<TranslationLanguage>().notNull(),
    /** Null before the first answer. */
    memory: jsonb("memory").$type<QuizMemory>(),
    dueAt: timestamptz("due_at").notNull(),
    /** Of the last reviews, so that one that is sent again counts once. */
    reviewIds: uuid("review_ids").array().notNull().default([]),
    /** Incremented by each change of the schedule. */
    revision: integer("revision").notNull().default(0),
    /** Bytes that the question adds to `user_storage`. */
    bytes: bigint("bytes", { mode: "number" })
      .notNull()
      .generatedAlwaysAs(
        sql`octet_length(prompt) + octet_length(choices::text) + octet_length(answer) + octet_length(rows::text) + 1024`,
      ),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index("quiz_questions_due_idx").on(table.userId, table.dueAt, table.id),
    index("quiz_questions_lecture_idx").on(table.lectureId),
    check(
      "quiz_questions_not_blank",
      sql`btrim(${table.prompt}) <> '' and btrim(${table.answer}) <> ''`,
    ),
  ],
);
