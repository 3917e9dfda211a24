import { customType, index, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { lectureId } from "./library.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/**
 * The words of 32 rows of a transcript, of a lecture's title (passage -1), its summary (-2), its texts without
 * alignment (-3), its notes (-4) or its slides (-5). Each lexeme begins with a tag of its user, so that a search reads only that part of the index.
 */
export const searchPassages = pgTable(
  "search_passages",
  {
    lectureId: lectureId(),
    passage: integer("passage").notNull(),
    userId: uuid("user_id").notNull(),
    words: tsvector("words").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.passage] }),
    // Without fastupdate, because each search would read the whole list of pending words.
    index("search_passages_words_idx").using("gin", table.words).with({ fastupdate: false }),
  ],
);

/** Passages whose text has changed. Triggers insert them; a search of their user, or the cron, indexes them. */
export const searchQueue = pgTable(
  "search_queue",
  {
    lectureId: lectureId(),
    passage: integer("passage").notNull(),
    userId: uuid("user_id").notNull(),
    /** Number of changes: a passage is removed only if it has not changed since it was indexed. */
    changes: integer("changes").notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.passage] }),
    index("search_queue_user_id_idx").on(table.userId),
  ],
);
