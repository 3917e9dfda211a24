import { sql } from "drizzle-orm";
import { lectures, marks, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { LectureKey } from "#server/lectures/queries.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";

/** Characters that are read of a sentence and of a note. Without a limit, 500 marks in one long row are 30 MB. */
export const markedTextMaxLength = 600;

/**
 * Reads the marked sentences of a lecture with their notes, in the lecture's order. A mark belongs to the last row
 * that begins at or before its time, or to the row at its position; see `groupMarksByRow`.
 */
export async function readMarkedSentences(
  db: Database,
  { userId, id }: LectureKey,
): Promise<MarkedSentence[]> {
  const { rows } = await db.execute<{ sentence: string; note: string }>(sql`
    with lecture as (
      select id from ${lectures}
      where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
    ),
    own as materialized (
      select marks.* from ${marks} join lecture on lecture.id = marks.lecture_id
    ),
    -- Rows and marks by time: the highest position so far is the row of a mark. Reads each row once.
    timeline as (
      select id, max(position) over (
        order by at_ms, id is not null rows unbounded preceding) as position
      from (
        select null::uuid as id, start_ms as at_ms, position from ${transcriptEntries}
        where lecture_id = (select id from lecture) and exists (select from own)
        union all
        select id, at_ms, null from own where position is null
      ) as events
    ),
    -- Materialized, because a nested loop would compute the timeline for each mark.
    found as materialized (select id, position from timeline where id is not null),
    placed as materialized (
      select own.*, coalesce(own.position, found.position, 0) as row_position
      from own left join found on found.id = own.id
    )
    select coalesce((
        select left(original, ${markedTextMaxLength}::int) from ${transcriptEntries} as entry
        where entry.lecture_id = placed.lecture_id and entry.position = row_position
      ), '') as sentence,
      left(note, ${markedTextMaxLength}::int) as note
    from placed
    order by row_position, at_ms, id`);
  return rows;
}
