import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { lectures, marks } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { hasCapacityFor, lectureBytesMax, rowOverheadBytes } from "#server/lectures/storage.ts";
import { type CursorInput, decodePageCursor, toPage } from "#server/page-cursor.ts";
import { AppError } from "#shared/errors.ts";
import { type ChangeMarksInput, type Mark, uuid } from "#shared/lecture.ts";
import { marksMax, marksPageSize } from "#shared/limits.ts";

/** The id of the page's last mark. */
const cursorPosition = z.tuple([uuid]);

/**
 * Lists a page of a lecture's marks, by id; none for another user's or a deleted lecture.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listMarks(
  db: Database,
  { userId, lectureId, cursor }: { userId: string; lectureId: string; cursor?: CursorInput },
): Promise<{ items: Mark[]; nextCursor: string | null }> {
  const after = decodePageCursor(cursorPosition, cursor);
  const rows = await db
    .select({ id: marks.id, atMs: marks.atMs, position: marks.position, note: marks.note })
    .from(marks)
    .innerJoin(lectures, eq(lectures.id, marks.lectureId))
    .where(
      and(
        eq(marks.lectureId, lectureId),
        eq(lectures.userId, userId),
        isNull(lectures.deletedAt),
        after ? gt(marks.id, after[0]) : undefined,
      ),
    )
    .orderBy(asc(marks.id))
    .limit(marksPageSize + 1);
  const { page, nextCursor } = toPage(rows, marksPageSize, ({ id }) => [id]);
  return { items: page, nextCursor };
}

/**
 * Stores `changed` in place of the marks with the same ids, and deletes `deletedIds`. All or nothing; the last of
 * two calls wins. The first statement of the batch locks the lecture, so that limits and sizes are exact.
 *
 * @throws AppError `not_found` for another user's or a deleted lecture, `lecture_full` for too many marks or too
 * much text, `account_full`. A call that adds neither is never rejected as full.
 */
export async function changeMarks(
  db: Database,
  {
    userId,
    lectureId,
    marks: changed,
    deletedIds,
    now,
  }: ChangeMarksInput & { userId: string; now: Date },
): Promise<void> {
  const lecture = sql`select id, entry_bytes from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;
  const lock = db.execute(sql`${lecture} for no key update`);
  const write = db.execute<{ lecture_full: boolean; account_full: boolean }>(sql`
    with lecture as (${lecture}),
    incoming as materialized (
      select id, at_ms, position, note from jsonb_to_recordset(${JSON.stringify(
        changed.map(({ atMs, ...mark }) => ({ ...mark, at_ms: atMs })),
      )}::jsonb) as incoming (id uuid, at_ms int, position int, note text)
    ),
    replaced as materialized (
      select count(*) as count, coalesce(sum(octet_length(note) + ${rowOverheadBytes}::int), 0) as bytes
      from marks where lecture_id = ${lectureId}::uuid and (
        id in (select id from incoming)
        or id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(deletedIds)}::jsonb))
      )
    ),
    added as materialized (
      select count(*) as count, coalesce(sum(octet_length(note) + ${rowOverheadBytes}::int), 0) as bytes
      from incoming
    ),
    target as materialized (
      select lecture.id, added.bytes - replaced.bytes as growth,
        (added.count > replaced.count and added.count - replaced.count + (
          select count(*) from marks where lecture_id = lecture.id) > ${marksMax}::int)
        or (added.bytes > replaced.bytes
          and entry_bytes + added.bytes - replaced.bytes > ${lectureBytesMax}::bigint) as lecture_full,
        added.bytes > replaced.bytes
          and not ${hasCapacityFor(userId, sql`(added.bytes - replaced.bytes)`)} as account_full
      from lecture, replaced, added
    ),
    accepted as (select id, growth from target where not lecture_full and not account_full),
    deleted as (
      delete from marks using accepted
      where lecture_id = accepted.id
        and marks.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(deletedIds)}::jsonb))
    ),
    written as (
      insert into marks (lecture_id, id, at_ms, position, note)
      select accepted.id, incoming.id, at_ms, position, note from accepted, incoming
      on conflict (lecture_id, id) do update set
        at_ms = excluded.at_ms, position = excluded.position, note = excluded.note
    ),
    lecture_update as (
      update lectures set updated_at = ${toTimestamp(now)}, entry_bytes = entry_bytes + growth
      from accepted where lectures.id = accepted.id
    )
    select lecture_full, account_full from target`);
  const [row] = (await db.batch([lock, write]))[1].rows;
  if (!row) throw new AppError("not_found");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
}
