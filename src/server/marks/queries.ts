import { asc, getTableColumns, sql } from "drizzle-orm";
import { marks } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { isOnPage, writeLectureRows } from "#server/lectures/lecture-rows.ts";
import { rowOverheadBytes } from "#server/lectures/storage.ts";
import { type CursorInput, toPage } from "#server/page-cursor.ts";
import { selectAuthor, type Writer } from "#server/people/access.ts";
import type { ChangeMarksInput, Mark } from "#shared/lecture.ts";
import { marksMax, marksPageSize } from "#shared/limits.ts";

/**
 * Lists a page of a lecture's marks, by id; none of a deleted lecture, and of one that the user may not read.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listMarks(
  db: Database,
  input: { userId: string; lectureId: string; cursor?: CursorInput },
): Promise<{ items: Mark[]; nextCursor: string | null }> {
  const { lectureId: _, editedBy: _editor, ...columns } = getTableColumns(marks);
  const author = selectAuthor("marks", {
    ownerId: sql`(select user_id from lectures where lectures.id = marks.lecture_id)`,
    viewerId: input.userId,
    isWritten: sql`true`,
  });
  const rows = await db
    .select({ ...columns, author })
    .from(marks)
    .where(isOnPage(marks, input))
    .orderBy(asc(marks.id))
    .limit(marksPageSize + 1);
  const { page, nextCursor } = toPage(rows, marksPageSize, ({ id }) => [id]);
  const items = page.map(({ author, ...one }) => ({ ...one, ...(author !== null && { author }) }));
  return { items, nextCursor };
}

/**
 * Stores `changed` in place of the marks with the same ids, and deletes `deletedIds`. The last of two calls wins.
 *
 * @returns who is to be told.
 * @throws AppError as `writeLectureRows`
 */
export async function changeMarks(
  db: Database,
  {
    userId,
    editorId = null,
    lectureId,
    marks: changed,
    deletedIds,
    now,
  }: ChangeMarksInput & Writer & { now: Date },
): Promise<string[] | null> {
  return writeLectureRows(
    db,
    { userId, lectureId, updatedAt: now },
    {
      table: marks,
      max: marksMax,
      change: sql`incoming as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
          as mark (id uuid, "atMs" int, position int, note text)
      ),
      deleted_ids as materialized (
        select value::uuid as id from jsonb_array_elements_text(${JSON.stringify(deletedIds)}::jsonb)
      ),
      change as materialized (
        select coalesce(sum(sign), 0) as count,
          coalesce(sum(sign * (octet_length(note) + ${rowOverheadBytes}::int)), 0) as growth
        from (
          select 1 as sign, note from incoming
          union all
          select -1, note from marks where lecture_id = ${lectureId}::uuid
            and id in (select id from incoming union all select id from deleted_ids)
        ) as difference
      )`,
      writes: sql`deleted as (
        delete from marks using accepted
        where lecture_id = accepted.id and marks.id in (select id from deleted_ids)
      ),
      written as (
        insert into marks (lecture_id, id, at_ms, position, note, edited_by)
        select accepted.id, incoming.*, ${editorId}::uuid from accepted, incoming
        on conflict (lecture_id, id) do update set
          at_ms = excluded.at_ms, position = excluded.position, note = excluded.note,
          edited_by = excluded.edited_by
      )`,
    },
  );
}
