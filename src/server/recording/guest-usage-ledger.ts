import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { guestUsage } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { getActiveSince } from "./activity.ts";
import type { UsageWrite } from "./room/events.ts";
import { keepHigherTotal } from "./usage-ledger.ts";

/**
 * Keyed hash of a guest's network address, so that the address cannot be recovered without the secret.
 * `addressKey` is a /64 for IPv6.
 */
export function hashGuestAddress(secret: string, addressKey: string | null): string | null {
  if (addressKey === null) return null;
  return createHmac("sha256", secret).update(`guest usage of ${addressKey}`).digest("base64url");
}

/** Time a guest has recorded on `day`, ms: the larger of the ticket's and the address's total. */
export function selectGuestUsage(
  db: Database,
  { recordingId, address, day }: { recordingId: string; address: string | null; day: string },
) {
  return db.execute<{ ms: string | number }>(sql`
    select greatest(
      (select coalesce(sum(recorded_ms), 0) from ${guestUsage}
        where day = ${day}::date and recording_id = ${recordingId}::uuid),
      (select coalesce(sum(recorded_ms), 0) from ${guestUsage}
        where day = ${day}::date and address = ${address}::text)) as ms`);
}

/** Writes a guest's segment and reads the resulting usage, as `flushUsage` does for a user. */
export async function flushGuestUsage(db: Database, write: UsageWrite, now: Date) {
  const at = now.toISOString();
  const { recordingId, segment, period } = write;
  const { address } = write.payer;
  const since = getActiveSince(now).toISOString();
  const rest = sql`(g.recording_id, g.segment) <> (${recordingId}::uuid, ${segment}::int)`;
  const active = sql`g.closed_at is null and g.flushed_at > ${since}::timestamptz`;
  const [, { rows }] = await db.batch([
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${address ?? recordingId}, 1))`),
    db.execute<{ ms: string | number; others: string | number; was_active: boolean }>(sql`
      with charge as (
        insert into ${guestUsage} as ledger
          (recording_id, segment, day, address, recorded_ms, started_at, flushed_at, closed_at)
        values (${recordingId}::uuid, ${segment}::int, ${period}::date, ${address}::text,
          ${write.recordedMs}::int, ${new Date(write.startedAt).toISOString()}::timestamptz,
          ${at}::timestamptz, ${write.closed ? at : null}::timestamptz)
        ${keepHigherTotal}
        returning ledger.recorded_ms
      )
      select
        greatest(
          (select coalesce(sum(g.recorded_ms), 0) from ${guestUsage} g
            where g.day = ${period}::date and g.recording_id = ${recordingId}::uuid and ${rest}),
          (select coalesce(sum(g.recorded_ms), 0) from ${guestUsage} g
            where g.day = ${period}::date and g.address = ${address}::text and ${rest}))
          + (select recorded_ms from charge) as ms,
        (select count(distinct g.recording_id) from ${guestUsage} g
          where ${active} and g.address = ${address}::text
            and g.recording_id <> ${recordingId}::uuid) as others,
        exists (select from ${guestUsage} g
          where ${active} and g.recording_id = ${recordingId}::uuid) as was_active
    `),
  ]);
  const [row] = rows;
  if (!row) throw new Error("The guests' usage statement returned no row");
  return {
    usedMs: Number(row.ms),
    otherRecordings: Number(row.others),
    wasActive: row.was_active,
  };
}
