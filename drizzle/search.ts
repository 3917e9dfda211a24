import { customType, index, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { lectures } from "./library.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/**
 * The words of 32 rows of a transcript, of a lecture's title (passage -1), of its summary (-2) and of
 * texts without alignment (-3). Each lexeme begins with a tag of its user, so that a search walks that
 * user's part of the index alone.
 */
export const searchPassages = pgTable(
  "search_passages",
  {
    lectureId: uuid("lecture_id")
      .notNull()
      .references(() => lectures.id, { onDelete: "cascade" }),
    passage: integer("passage").notNull(),
    userId: uuid("user_id").notNull(),
    words: tsvector("words").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.passage] }),
    // A list of pending words would be read from end to end by each search.
    index("search_passages_words_idx").using("gin", table.words).with({ fastupdate: false }),
  ],
);

/**
 * Passages whose words are older than their text. Triggers put them here; a search by their user takes
 * them out first, and so does the cron.
 */
export const searchQueue = pgTable(
  "search_queue",
  {
    lectureId: uuid("lecture_id")
      .notNull()
      .references(() => lectures.id, { onDelete: "cascade" }),
    passage: integer("passage").notNull(),
    userId: uuid("user_id").notNull(),
    /** Counts changes: a passage leaves the queue only as it was when its words were made. */
    changes: integer("changes").notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.passage] }),
    index("search_queue_user_id_idx").on(table.userId),
  ],
);
