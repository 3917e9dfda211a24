import { type SQL, sql } from "drizzle-orm";

/**
 * Begins a batch that changes where folders and lectures lie: one such batch of a user at a time, so
 * that the statements behind it see a tree that nobody else is changing. It is the user's row that is
 * locked, in the mode that leaves inserts of the user's other things alone.
 */
export function lockLibrary(userId: string): SQL {
  return sql`select id from users where id = ${userId}::uuid for no key update`;
}
