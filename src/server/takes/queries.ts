import { and, asc, eq, getTableColumns, gt, isNull, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { lectures, recordingTakes } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { hasCapacityFor, lectureBytesMax, rowOverheadBytes } from "#server/lectures/storage.ts";
import { type CursorInput, decodePageCursor, toPage } from "#server/page-cursor.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { takesMax, takesPageSize } from "#shared/limits.ts";
import type { RecordedTake, StoreTakesInput } from "#shared/recorded-take.ts";

/** The id of the page's last take. */
const cursorPosition = z.tuple([uuid]);

/**
 * Lists a page of a lecture's takes, by id; none for another user's or a deleted lecture.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listTakes(
  db: Database,
  { userId, lectureId, cursor }: { userId: string; lectureId: string; cursor?: CursorInput },
): Promise<{ items: RecordedTake[]; nextCursor: string | null }> {
  const after = decodePageCursor(cursorPosition, cursor);
  const { lectureId: _, ...columns } = getTableColumns(recordingTakes);
  const rows = await db
    .select(columns)
    .from(recordingTakes)
    .innerJoin(lectures, eq(lectures.id, recordingTakes.lectureId))
    .where(
      and(
        eq(recordingTakes.lectureId, lectureId),
        eq(lectures.userId, userId),
        isNull(lectures.deletedAt),
        after ? gt(recordingTakes.id, after[0]) : undefined,
      ),
    )
    .orderBy(asc(recordingTakes.id))
    .limit(takesPageSize + 1);
  const { page, nextCursor } = toPage(rows, takesPageSize, ({ id }) => [id]);
  const items = page.map(({ startedAt, ...take }) => ({ ...take, startedAt: startedAt.getTime() }));
  return { items, nextCursor };
}

/**
 * Stores takes. All or nothing. A request that a closing page has sent may arrive after that of the next visit, so a
 * state in which less was captured, missing or acknowledged replaces nothing. The first statement of the batch locks
 * the lecture, so that limits and sizes are exact.
 *
 * @throws AppError `not_found` for another user's or a deleted lecture, `lecture_full` for too many takes or too much
 * text, `account_full`.
 */
export async function storeTakes(
  db: Database,
  { userId, lectureId, takes }: StoreTakesInput & { userId: string },
): Promise<void> {
  const lecture = sql`select id, entry_bytes from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;
  const lock = db.execute(sql`${lecture} for no key update`);
  const write = db.execute<{ lecture_full: boolean; account_full: boolean }>(sql`
    with lecture as (${lecture}),
    incoming as materialized (
      select id, to_timestamp(started_at / 1000.0) as started_at, codec, captured_ms, acknowledged_ms, transcribed_ms,
        missing_ms, gaps
      from jsonb_to_recordset(${JSON.stringify(takes.map(toColumns))}::jsonb) as incoming (
        id uuid, started_at bigint, codec audio_codec, captured_ms int, acknowledged_ms int, transcribed_ms int,
        missing_ms int, gaps jsonb)
    ),
    replaced as materialized (
      select id, octet_length(gaps::text) + ${rowOverheadBytes}::int as bytes, captured_ms, missing_ms, acknowledged_ms from recording_takes
      where lecture_id = ${lectureId}::uuid and id in (select id from incoming)
    ),
    newer as materialized (
      select incoming.*, replaced.id is null as is_new, 
        octet_length(incoming.gaps::text) + ${rowOverheadBytes}::int - coalesce(replaced.bytes, 0) as growth
      from incoming left join replaced on replaced.id = incoming.id
      where replaced.id is null or (incoming.captured_ms, incoming.missing_ms, incoming.acknowledged_ms)
        >= (replaced.captured_ms, replaced.missing_ms, replaced.acknowledged_ms)
    ),
    added as materialized (
      select coalesce(sum(growth), 0)::bigint as bytes, count(*) filter (where is_new) as count from newer
    ),
    target as materialized (
      select lecture.id, added.bytes as growth,
        (added.count > 0 and added.count + (
          select count(*) from recording_takes where lecture_id = lecture.id) > ${takesMax}::int)
        or (added.bytes > 0 and entry_bytes + added.bytes > ${lectureBytesMax}::bigint) as lecture_full,
        added.bytes > 0 and not ${hasCapacityFor(userId, sql`added.bytes`)} as account_full
      from lecture, added
    ),
    accepted as (select id, growth from target where not lecture_full and not account_full),
    written as (
      insert into recording_takes (lecture_id, id, started_at, codec, captured_ms, acknowledged_ms, transcribed_ms,
        missing_ms, gaps)
      select accepted.id, newer.id, started_at, codec, captured_ms, acknowledged_ms, transcribed_ms, missing_ms, gaps
      from accepted, newer
      on conflict (lecture_id, id) do update set
        captured_ms = excluded.captured_ms, acknowledged_ms = excluded.acknowledged_ms,
        transcribed_ms = excluded.transcribed_ms, missing_ms = excluded.missing_ms, gaps = excluded.gaps
    ),
    lecture_update as (
      update lectures set entry_bytes = entry_bytes + growth from accepted where lectures.id = accepted.id
    )
    select lecture_full, account_full from target`);
  const [row] = (await db.batch([lock, write]))[1].rows;
  if (!row) throw new AppError("not_found");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
}

const toColumns = (take: RecordedTake) => ({
  ...{ id: take.id, started_at: take.startedAt, codec: take.codec, gaps: take.gaps },
  ...{ captured_ms: take.capturedMs, acknowledged_ms: take.acknowledgedMs },
  ...{ transcribed_ms: take.transcribedMs, missing_ms: take.missingMs },
});
