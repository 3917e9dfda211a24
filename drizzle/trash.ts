import { sql } from "drizzle-orm";
import { check, index, integer, pgEnum, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { deletionKinds } from "#shared/trash.ts";
import { users } from "./accounts.ts";
import { id, timestamptz } from "./columns.ts";

export const deletionKind = pgEnum("deletion_kind", deletionKinds);

/** One deletion: what went together comes back together. Its lectures and folders carry its id. */
export const deletions = pgTable(
  "deletions",
  {
    id: id(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: deletionKind("kind").notNull(),
    /** Name of the folder or title of the lecture; empty for a deletion of all lectures. */
    name: text("name").notNull(),
    /** How many went, subfolders and the folder itself included. */
    lectures: integer("lectures").notNull(),
    folders: integer("folders").notNull(),
    deletedAt: timestamptz("deleted_at").notNull(),
    /** From then on it cannot be brought back, and the cron removes what it holds. */
    expiresAt: timestamptz("expires_at").notNull(),
  },
  (table) => [
    unique("deletions_id_user_id_key").on(table.id, table.userId),
    index("deletions_user_deleted_idx").on(table.userId, table.deletedAt.desc(), table.id.desc()),
    index("deletions_expires_at_idx").on(table.expiresAt),
    check("deletions_not_negative", sql`${table.lectures} >= 0 and ${table.folders} >= 0`),
  ],
);
