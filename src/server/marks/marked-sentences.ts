import { sql } from "drizzle-orm";
import { lectures, marks, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { LectureKey } from "#server/lectures/queries.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";

/** Characters that are read of a sentence and of a note. Without a limit, 500 marks in one long row are 30 MB. */
export const markedTextMaxLength = 600;

const firstRow = sql`(
  select position from ${transcriptEntries} where lecture_id = (select id from lecture)
  order by start_ms, position limit 1
)`;

/**
 * Reads the marked sentences of a lecture with their notes, in the lecture's order. A mark belongs to the last row
 * that begins at or before its time, or to the row with its ordinal (the one before, if that is gone); see `groupMarksByRow`.
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
    -- Rows and marks by time: the last row so far is the row of a mark. Reads each row once.
    timeline as (
      select id, at_ms, note, (max(array[at_ms, position]) filter (where id is null) over (
        order by at_ms, id is not null rows unbounded preceding))[2] as position
      from (
        select null::uuid as id, start_ms as at_ms, null as note, position from ${transcriptEntries}
        where lecture_id = (select id from lecture) and exists (select from own)
        union all
        select id, at_ms, note, null from own where position is null
      ) as events
    ),
    -- Materialized, because a nested loop would compute the timeline for each mark.
    placed as materialized (
      select id, at_ms, note, coalesce(position, ${firstRow}, 0) as row_position
      from timeline where id is not null
      union all
      select id, at_ms, note, coalesce((
        select position from ${transcriptEntries} as entry
        where entry.lecture_id = own.lecture_id and entry.position <= own.position
        order by entry.position desc limit 1
      ), ${firstRow}, position)
      from own where position is not null
    ),
    -- Read with one condition for all marks: a nested loop may read all rows for each mark.
    entry as materialized (
      select position, start_ms, left(original, ${markedTextMaxLength}::int) as sentence
      from ${transcriptEntries}
      where lecture_id = (select id from lecture)
        and position = any (array(select row_position from placed))
    )
    select coalesce(sentence, '') as sentence, left(note, ${markedTextMaxLength}::int) as note
    from placed left join entry on entry.position = row_position
    order by start_ms, row_position, at_ms, placed.id`);
  return rows;
}
