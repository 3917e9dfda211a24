import { sql } from "drizzle-orm";
import { lectures, summaryNotes } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import type { LectureKey } from "#server/lectures/queries.ts";
import type { KeptNotes } from "./take-notes.ts";

/** The notes on a lecture's parts in the database, until `clear` is called: its summary is complete. */
export function keepNotes(
  db: Database,
  { userId, id }: LectureKey,
  now: () => Date,
): KeptNotes & { clear(): Promise<void> } {
  return {
    async read() {
      const { rows } = await db.execute<{ key: string; notes: string | null }>(sql`
        select key, notes from ${summaryNotes}
        where user_id = ${userId}::uuid and lecture_id = ${id}::uuid`);
      return new Map(rows.map(({ key, notes }) => [key, notes]));
    },
    async write(key, notes) {
      await db.execute(sql`
        insert into ${summaryNotes} (user_id, lecture_id, key, notes, created_at)
        select user_id, id, ${key}, ${notes}, ${toTimestamp(now())} from ${lectures}
        where id = ${id}::uuid and user_id = ${userId}::uuid
        on conflict (user_id, lecture_id, key) do update set notes = excluded.notes`);
    },
    async clear() {
      await db.execute(sql`
        delete from ${summaryNotes} where user_id = ${userId}::uuid and lecture_id = ${id}::uuid`);
    },
  };
}
