import { sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { passageRows } from "#server/search/refresh.ts";
import { AppError } from "#shared/errors.ts";
import type { ReplaceEntriesInput } from "#shared/lecture.ts";
import {
  countRowBytes,
  insertIncoming,
  lockLecture,
  selectIncoming,
  selectLecture,
  updateExcerpts,
} from "./append.ts";
import { hasCapacityFor, lectureBytesMax } from "./storage.ts";

type ReplaceRow = {
  has_conflict: boolean;
  is_shared: boolean;
  lecture_full: boolean;
  account_full: boolean;
};

/**
 * Writes `entries` in the place of all rows of the lecture, if it has those of `before`: as many, with as many changes.
 * All or nothing.
 *
 * @throws AppError `not_found` for another user's or a deleted lecture, `conflict` if another tab or device has changed
 * the rows, or while others read the lecture along, `lecture_full`, `account_full`
 */
export async function replaceEntries(
  db: Database,
  { userId, lectureId, before, entries, now }: ReplaceEntriesInput & { userId: string; now: Date },
): Promise<void> {
  const lecture = selectLecture({ userId, lectureId });
  const write = db.execute<ReplaceRow>(sql`
    with lecture as (${lecture}),
    incoming as materialized (${selectIncoming(0, entries)}),
    stored as materialized (
      select count(*) as count, coalesce(sum(revision), 0) as revisions,
        coalesce(sum(${countRowBytes("entry")}), 0) as bytes
      from transcript_entries as entry where lecture_id = ${lectureId}::uuid
    ),
    change as materialized (
      select coalesce((select sum(${countRowBytes("incoming")}) from incoming), 0) - stored.bytes as growth,
        (stored.count, stored.revisions) <> (${before.count}::bigint, ${before.revisions}::bigint)
          as has_conflict
      from stored
    ),
    target as materialized (
      select id, source_language, growth, has_conflict,
        exists (select from shares where lecture_id = lecture.id and ended_at is null) as is_shared,
        growth > 0 and entry_bytes + growth > ${lectureBytesMax}::bigint as lecture_full,
        growth > 0 and not ${hasCapacityFor(userId, sql`growth`)} as account_full
      from lecture, change
    ),
    accepted as materialized (
      select id, source_language, growth from target
      where not (has_conflict or is_shared or lecture_full or account_full)
    ),
    deleted_rows as (
      delete from transcript_entries as entry using accepted where entry.lecture_id = accepted.id
      returning entry.position
    ),
    -- Read before the first row is inserted, so that no position is used twice.
    deleted_count as materialized (select count(*) as count from deleted_rows),
    written_rows as (${insertIncoming(sql`accepted, deleted_count, incoming`)}),
    -- Triggers queue the passages of inserted rows, not those of deleted ones.
    queued_passages as (
      insert into search_queue as queue (lecture_id, passage, user_id)
      select distinct accepted.id, position / ${passageRows}::int, ${userId}::uuid from accepted, deleted_rows
      on conflict (lecture_id, passage) do update set changes = queue.changes + 1
    ),
    lecture_update as (
      update lectures set updated_at = ${now.toISOString()}::timestamptz,
        entry_bytes = lectures.entry_bytes + accepted.growth
      from accepted where lectures.id = accepted.id
    )
    select has_conflict, is_shared, lecture_full, account_full from target`);
  const excerpts = updateExcerpts(db, { userId, lectureId, from: 0 });
  const [, { rows }] = await db.batch([lockLecture(db, lecture), write, excerpts]);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  if (row.has_conflict || row.is_shared) throw new AppError("conflict");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
}
