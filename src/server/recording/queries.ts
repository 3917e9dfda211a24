import { and, eq, isNull, sql } from "drizzle-orm";
import { lectures, sessions, usageLedger, users } from "../../../drizzle/schema.ts";
import type { Database } from "../database.ts";
import type { UsageWrite } from "./events.ts";

/** True when the lecture is the user's own and is not being deleted. */
export async function findRecordableLecture(
  db: Database,
  { userId, lectureId }: { userId: string; lectureId: string },
): Promise<boolean> {
  const found = await db
    .select({ id: lectures.id })
    .from(lectures)
    .where(
      and(eq(lectures.id, lectureId), eq(lectures.userId, userId), isNull(lectures.deletedAt)),
    );
  return found.length === 1;
}

export interface FlushedUsage {
  /** Recorded by the user in the segment's month, this segment included. */
  monthUsedMs: number;
  /** Null when the session has ended or belongs to somebody else. */
  sessionExpiresAt: number | null;
  lectureAlive: boolean;
}

/**
 * Writes a segment's total and reads what it means, in one statement. Totals only grow, so a repeated
 * or late write changes nothing. A recording's id is its lecture's.
 */
export async function flushUsage(
  db: Database,
  write: UsageWrite,
  now: Date,
): Promise<FlushedUsage> {
  const at = now.toISOString();
  const { recordingId, userId, segment, month } = write;
  // The statement's own insert is not visible to its other parts: they read what was there before.
  const others = sql`(l.recording_id, l.segment) <> (${recordingId}::uuid, ${segment}::int)`;
  const { rows } = await db.execute<{
    month_ms: string | number;
    session_ms: string | number | null;
    alive: boolean;
  }>(sql`
    with own_lecture as (
      select id, deleted_at from ${lectures}
      where id = ${recordingId}::uuid and user_id = ${userId}::uuid
    ), charge as (
      insert into ${usageLedger} as ledger
        (recording_id, segment, user_id, lecture_id, month, recorded_ms, started_at, flushed_at, closed_at)
      select ${recordingId}::uuid, ${segment}::int, u.id, (select id from own_lecture), ${month}::date,
        ${write.recordedMs}::int, ${new Date(write.startedAt).toISOString()}::timestamptz,
        ${at}::timestamptz, ${write.closed ? at : null}::timestamptz
      from ${users} u where u.id = ${userId}::uuid
      on conflict (recording_id, segment) do update set
        recorded_ms = greatest(ledger.recorded_ms, excluded.recorded_ms),
        flushed_at = excluded.flushed_at,
        closed_at = excluded.closed_at
      where ledger.user_id = excluded.user_id
      returning ledger.recorded_ms
    ), lecture_time as (
      update ${lectures} set used_time = round((
        (select coalesce(sum(l.recorded_ms), 0) from ${usageLedger} l
          where l.lecture_id = ${recordingId}::uuid and l.user_id = ${userId}::uuid and ${others})
        + (select recorded_ms from charge)) / 1000.0)
      where id in (select id from own_lecture) and exists (select from charge)
    )
    select
      (select coalesce(sum(l.recorded_ms), 0) from ${usageLedger} l
        where l.user_id = ${userId}::uuid and l.month = ${month}::date and ${others})
        + coalesce((select recorded_ms from charge), 0) as month_ms,
      (select extract(epoch from s.expires_at) * 1000 from ${sessions} s
        where s.id = ${write.sessionId} and s.user_id = ${userId}::uuid
          and s.expires_at > ${at}::timestamptz) as session_ms,
      exists (select from own_lecture where deleted_at is null) as alive
  `);
  const [row] = rows;
  if (!row) throw new Error("The usage statement answered no row");
  return {
    monthUsedMs: Number(row.month_ms),
    sessionExpiresAt: row.session_ms === null ? null : Number(row.session_ms),
    lectureAlive: row.alive,
  };
}
