import { and, desc, eq, isNull, max, sql } from "drizzle-orm";
import { lectures, plans, sessions, usageLedger, users } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import {
  type BillingMode,
  selectTier,
  toHourLimit,
  toLimitMs,
} from "#server/subscriptions/queries.ts";
import type { Tier } from "#shared/plans.ts";
import { getActiveSince } from "./activity.ts";
import type { UsageWrite } from "./room/events.ts";

/** Returns one row if the lecture belongs to the user and is not deleted, otherwise none. */
export function selectRecordableLecture(
  db: Database,
  { userId, lectureId }: { userId: string; lectureId: string },
) {
  return db
    .select({ id: lectures.id })
    .from(lectures)
    .where(
      and(eq(lectures.id, lectureId), eq(lectures.userId, userId), isNull(lectures.deletedAt)),
    );
}

/** No plan allows more concurrent recordings; further rows were left open by crashed rooms. */
export const maxOpenRecordings = 16;

/** The user's recordings with an open segment, latest first. */
export async function findOpenRecordings(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: usageLedger.recordingId })
    .from(usageLedger)
    .where(and(eq(usageLedger.userId, userId), isNull(usageLedger.closedAt)))
    .groupBy(usageLedger.recordingId)
    .orderBy(desc(max(usageLedger.flushedAt)))
    .limit(maxOpenRecordings);
  return rows.map(({ id }) => id);
}

/** The higher of two totals counts, so that a repeated or late write of a segment changes nothing. */
export const keepHigherTotal = sql`on conflict (recording_id, segment) do update set
  recorded_ms = greatest(ledger.recorded_ms, excluded.recorded_ms),
  flushed_at = greatest(ledger.flushed_at, excluded.flushed_at),
  closed_at = case when excluded.recorded_ms > ledger.recorded_ms then excluded.closed_at
    else coalesce(ledger.closed_at, excluded.closed_at) end`;

/**
 * Writes a segment's total and reads the resulting usage, in one request and one transaction. A lock
 * serialises a user's flushes, so that none misses what another device has written. The recording's id is
 * the lecture's id, but where a lecture is recognised again: that is no longer recording of it. `isDemoVoice`: marks the lecture, whatever the page has done.
 */
export async function flushUsage(
  db: Database,
  write: Omit<UsageWrite, "payer"> & { payer: { userId: string } },
  { now, mode, isDemoVoice = false }: { now: Date; mode: BillingMode; isDemoVoice?: boolean },
) {
  const at = now.toISOString();
  const { recordingId, againLectureId, segment, period, signInSessionId } = write;
  const { userId } = write.payer;
  const since = getActiveSince(now).toISOString();
  // The insert is not visible to the other parts of the statement: they read the old row.
  const others = sql`(l.recording_id, l.segment) <> (${recordingId}::uuid, ${segment}::int)`;
  const active = sql`l.user_id = ${userId}::uuid and l.closed_at is null
    and l.flushed_at > ${since}::timestamptz`;
  const [, { rows }] = await db.batch([
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`),
    db.execute<{
      month_ms: string | number;
      others: string | number;
      was_active: boolean;
      grew: boolean;
      session_ms: string | number | null;
      alive: boolean;
      tier: Tier | null;
      hour_limit: number | null;
    }>(sql`
      with own_lecture as (
        select id from ${lectures}
        where id = ${recordingId}::uuid and user_id = ${userId}::uuid
      ), charge as (
        insert into ${usageLedger} as ledger
          (recording_id, segment, user_id, lecture_id, month, recorded_ms, started_at, flushed_at, closed_at)
        select ${recordingId}::uuid, ${segment}::int, u.id, (select id from own_lecture), ${period}::date,
          ${write.recordedMs}::int, ${new Date(write.startedAt).toISOString()}::timestamptz,
          ${at}::timestamptz, ${write.closed ? at : null}::timestamptz
        from ${users} u where u.id = ${userId}::uuid
        ${keepHigherTotal} where ledger.user_id = excluded.user_id
        returning ledger.recorded_ms
      ), lecture_time as (
        update ${lectures} set has_demo_text = has_demo_text or ${isDemoVoice}::boolean,
          used_time = greatest(used_time, round((
          (select coalesce(sum(l.recorded_ms), 0) from ${usageLedger} l
            where l.lecture_id = ${recordingId}::uuid and l.user_id = ${userId}::uuid and ${others})
          + (select recorded_ms from charge)) / 1000.0))
        where id in (select id from own_lecture) and exists (select from charge)
      ), plan as (
        select p.tier, p.hours_per_month from ${plans} p
        where p.tier::text = coalesce(${selectTier({ userId, mode, now })}, 'free')
      )
      select
        (select tier from plan) as tier, (select hours_per_month from plan) as hour_limit,
        (select coalesce(sum(l.recorded_ms), 0) from ${usageLedger} l
          where l.user_id = ${userId}::uuid and l.month = ${period}::date and ${others})
          + coalesce((select recorded_ms from charge), 0) as month_ms,
        (select count(distinct l.recording_id) from ${usageLedger} l
          where ${active} and l.recording_id <> ${recordingId}::uuid) as others,
        exists (select from ${usageLedger} l
          where ${active} and l.recording_id = ${recordingId}::uuid) as was_active,
        coalesce((select recorded_ms from charge), 0) > coalesce((select l.recorded_ms from ${usageLedger} l
          where l.recording_id = ${recordingId}::uuid and l.segment = ${segment}::int), 0) as grew,
        (select extract(epoch from s.expires_at) * 1000 from ${sessions} s
          where s.id = ${signInSessionId}::text and s.user_id = ${userId}::uuid
            and s.expires_at > ${at}::timestamptz) as session_ms,
        exists (select from ${lectures} where id = ${againLectureId ?? recordingId}::uuid
          and user_id = ${userId}::uuid and deleted_at is null) as alive
    `),
  ]);
  const [row] = rows;
  if (!row) throw new Error("The usage statement returned no row");
  const { tier, hour_limit: hourLimit } = row;
  if (tier === null || hourLimit === null)
    throw new Error("The plans table has no row for the user's tier");
  return {
    usedMs: Number(row.month_ms),
    limitMs: toLimitMs(toHourLimit(mode, Number(hourLimit))),
    level: tier,
    otherRecordings: Number(row.others),
    /** This recording was already active. */
    wasActive: row.was_active,
    /** The segment's total has increased. */
    hasGrown: row.grew,
    /** Null when the sign-in session has ended or belongs to somebody else. */
    signInExpiresAt: row.session_ms === null ? null : Number(row.session_ms),
    lectureExists: row.alive,
  };
}
