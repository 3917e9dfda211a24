import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { lectureId } from "./library.ts";

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
  },
  (table) => [
    primaryKey({ columns: [table.lectureId, table.id] }),
    check("marks_not_negative", sql`${table.atMs} >= 0 and ${table.position} >= 0`),
  ],
);
