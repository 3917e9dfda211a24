import { sql } from "drizzle-orm";
import { check, index, integer, pgEnum, pgTable, text, unique } from "drizzle-orm/pg-core";
import { deletionKinds } from "#shared/trash.ts";
import { id, timestamptz, userId } from "./accounts.ts";

export const deletionKind = pgEnum("deletion_kind", deletionKinds);

/** One item of the trash: lectures and folders that were deleted together and are restored together. */
export const deletions = pgTable(
  "deletions",
  {
    id: id(),
    userId: userId(),
    kind: deletionKind("kind").notNull(),
    /** Name of the folder or title of the lecture; empty for a deletion of all lectures. */
    name: text("name").notNull(),
    /** Numbers of deleted rows, including subfolders and the folder itself. */
    lectures: integer("lectures").notNull(),
    folders: integer("folders").notNull(),
    deletedAt: timestamptz("deleted_at").notNull(),
    /** After that it cannot be restored, and the cron deletes it permanently. */
    expiresAt: timestamptz("expires_at").notNull(),
  },
  (table) => [
    unique("deletions_id_user_id_key").on(table.id, table.userId),
    index("deletions_user_deleted_idx").on(table.userId, table.deletedAt.desc(), table.id.desc()),
    index("deletions_expires_at_idx").on(table.expiresAt),
    check("deletions_not_negative", sql`${table.lectures} >= 0 and ${table.folders} >= 0`),
  ],
);
