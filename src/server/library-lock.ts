import { type SQL, sql } from "drizzle-orm";

/**
 * First statement of a batch that changes the user's folder tree: serialises such batches per user. Locks
 * the user's row in a mode that does not block inserts of rows that reference it.
 */
export function lockLibrary(userId: string): SQL {
  return sql`select id from users where id = ${userId}::uuid for no key update`;
}
