import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, userId } from "./accounts.ts";
import { lectureId } from "./library.ts";

/**
 * Notes on parts of lectures whose summaries are not complete, so that a summary that was broken off goes on from them.
 * They go with the summary, with the lecture, and after a week.
 */
export const summaryNotes = pgTable(
  "summary_notes",
  {
    userId: userId(),
    lectureId: lectureId(),
    /** SHA-256 of the prompt that the notes answer. */
    key: text("key").notNull(),
    /** Null: the part is too long for the model, and is read in halves. */
    notes: text("notes"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.lectureId, table.key] }),
    index("summary_notes_created_idx").on(table.createdAt),
    index("summary_notes_lecture_idx").on(table.lectureId),
  ],
);
