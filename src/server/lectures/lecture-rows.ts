import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { marks, recordingTakes } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { type CursorInput, decodePageCursor } from "#server/page-cursor.ts";
import { mayRead, selectAudience } from "#server/people/access.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { lockLecture, type Owner, selectLecture } from "./save-rows.ts";
import { hasCapacityFor, lectureBytesMax } from "./storage.ts";

/** Marks or takes: rows of a lecture with ids that the browser has chosen. */
type LectureRows = typeof marks | typeof recordingTakes;

/**
 * Condition for rows of the page after `cursor`, by id; false for a deleted lecture, and for one that the user may not read.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export function isOnPage(
  table: LectureRows,
  { cursor, userId, lectureId }: Owner & { cursor?: CursorInput },
) {
  const after = decodePageCursor(z.tuple([uuid]), cursor);
  return and(
    eq(table.lectureId, lectureId),
    sql`exists (
      select from lectures
      where lectures.id = ${lectureId}::uuid and lectures.deleted_at is null and ${mayRead(userId)}
    )`,
    after ? gt(table.id, after[0]) : undefined,
  );
}

/**
 * Writes rows of a lecture, all or none. The first statement locks the lecture, so that limits and sizes are exact.
 *
 * @param change `with` clauses; the last, `change`, has one row: by how much the rows' `count` and their bytes grow.
 * @param writes `with` clauses that write the rows of `accepted.id`; it has no row if there is no space.
 * @returns who is to be told.
 * @throws AppError `not_found` for another user's or a deleted lecture, `lecture_full`, `account_full`. A change that
 *   adds neither rows nor text is never refused as full.
 */
export async function writeLectureRows(
  db: Database,
  owner: Owner & { updatedAt?: Date },
  { table, max, change, writes }: { table: LectureRows; max: number; change: SQL; writes: SQL },
): Promise<string[] | null> {
  const updatedAt = owner.updatedAt && sql`updated_at = ${toTimestamp(owner.updatedAt)},`;
  const lecture = selectLecture(owner);
  const [, { rows }] = await db.batch([
    lockLecture(db, lecture),
    db.execute<{ lecture_full: boolean; account_full: boolean; audience: string[] | null }>(sql`
      with lecture as (${lecture}),
      ${change},
      target as materialized (
        select lecture.id, growth,
          count > 0 and count + (select count(*) from ${table} where lecture_id = lecture.id) > ${max}::int
            or growth > 0 and entry_bytes + growth > ${lectureBytesMax}::bigint as lecture_full,
          growth > 0 and not ${hasCapacityFor(owner.userId, sql`growth`)} as account_full
        from lecture, change
      ),
      accepted as (select id, growth from target where not lecture_full and not account_full),
      ${writes},
      lecture_update as (
        update lectures set ${updatedAt} entry_bytes = entry_bytes + growth
        from accepted where lectures.id = accepted.id
      )
      select lecture_full, account_full,
        ${selectAudience(sql`target.id`, sql`${owner.userId}::uuid`)} as audience
      from target`),
  ]);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
  return row.audience;
}
