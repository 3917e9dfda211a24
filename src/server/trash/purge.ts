import { sql } from "drizzle-orm";
import { allowLongStatements, type Database, toTimestamp } from "#server/database.ts";

/** Most rows that one call deletes; the next call continues. */
const callLimits = { lectures: 500, deletions: 200 };

/**
 * Permanently deletes what has expired in the trash by `now`, of all users or of `userId`. Idempotent, also
 * under concurrent calls.
 *
 * @returns the number of deleted rows.
 */
export async function purgeTrash(
  db: Database,
  { now, userId = null }: { now: Date; userId?: string | null },
): Promise<{ lectures: number; folders: number }> {
  const isExpired = sql`deletions.expires_at <= ${toTimestamp(now)}
    and (${userId}::uuid is null or deletions.user_id = ${userId}::uuid)`;
  /** Deletions without remaining lectures, whose folders can be deleted together. */
  const empty = sql`
    select deletions.id, deletions.user_id from deletions
    where ${isExpired} and not exists (
      select from lectures
      where lectures.user_id = deletions.user_id and lectures.deletion_id = deletions.id
    )
    order by deletions.expires_at, deletions.id limit ${callLimits.deletions}::int`;
  const [, { rows: lectures }, , , { rows: folders }] = await db.batch([
    db.execute(allowLongStatements),
    // Answers about folders or everything that name their rows would keep their words.
    db.execute(sql`
      with purged as (
        delete from lectures where id in (
          select lectures.id from deletions
          join lectures on lectures.user_id = deletions.user_id and lectures.deletion_id = deletions.id
          where ${isExpired}
          order by deletions.expires_at limit ${callLimits.lectures}::int
          for update of lectures skip locked
        ) returning id, user_id
      ), owners as (
        select user_id, array_agg(id::text) as ids from purged group by user_id
      ), answers as (
        delete from questions using owners
        where questions.user_id = owners.user_id and questions.lecture_id is null
          and (jsonb_path_query_array(statements, '$[*].rows[*].lectureId')
            || jsonb_path_query_array(nearest, '$[*].lectureId')) ?| owners.ids
      )
      select 1 from purged`),
    // Detaches lectures that were deleted earlier from a folder that is deleted now.
    db.execute(sql`
      with empty as (${empty})
      update lectures set folder_id = null
      from empty join folders
        on folders.user_id = empty.user_id and folders.deletion_id = empty.id
      where lectures.folder_id = folders.id and lectures.user_id = folders.user_id`),
    db.execute(sql`
      with empty as (${empty})
      update folders inner_folder set parent_folder_id = null
      from empty join folders
        on folders.user_id = empty.user_id and folders.deletion_id = empty.id
      where inner_folder.parent_folder_id = folders.id
        and inner_folder.deletion_id is distinct from empty.id`),
    db.execute(sql`
      with empty as (${empty})
      delete from folders using empty
      where folders.user_id = empty.user_id and folders.deletion_id = empty.id
      returning 1`),
    db.execute(sql`
      delete from deletions where id in (
        select empty.id from (${empty}) empty
        where not exists (
          select from folders
          where folders.user_id = empty.user_id and folders.deletion_id = empty.id
        )
      )`),
  ]);
  return { lectures: lectures.length, folders: folders.length };
}
