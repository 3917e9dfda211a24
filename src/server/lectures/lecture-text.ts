import { sql } from "drizzle-orm";
import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { LectureKey } from "./queries.ts";

/**
 * Reads the English text of a lecture: its sentences joined by spaces, or its text without alignment if it has no
 * rows. Stops after `maxLength` characters are exceeded, so a longer result means that there is more. Null for
 * another user's or a deleted lecture.
 */
export async function readLectureText(
  db: Database,
  { userId, id }: LectureKey,
  maxLength: number,
): Promise<string | null> {
  const { rows } = await db.execute<{ text: string }>(sql`
    with lecture as (
      select id, original_text from ${lectures}
      where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
    ),
    sentences as (
      select position, original,
        sum(char_length(original) + 1) over (order by position) - char_length(original) - 1 as preceding
      from ${transcriptEntries}
      -- Each row adds at least a space, so a row at a higher position cannot be in the text.
      where lecture_id = (select id from lecture) and position <= ${maxLength}::int
    )
    select coalesce(
      (select string_agg(original, ' ' order by position) from sentences
        where preceding <= ${maxLength}::int),
      left(original_text, ${maxLength}::int + 1)) as text
    from lecture`);
  return rows[0]?.text ?? null;
}
