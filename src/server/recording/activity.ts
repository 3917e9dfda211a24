import { type SQL, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Database, RawResult } from "#server/database.ts";
import { recordingActiveMs } from "./plan-limits.ts";

type CountRow = { own: string | number; total: string | number };

/**
 * The statement for `toActivity`: counts active recordings, which take capacity. A recording is active at
 * `now` if its segment is open and was flushed recently. `scope` is a user, or a guest's hashed network
 * address (null if it is not known).
 */
export function selectActivity(
  db: Database,
  scope: { userId: string } | { address: string | null },
  { recordingId, now }: { recordingId: string; now: Date },
) {
  const since = getActiveSince(now).toISOString();
  const count = (table: typeof usageLedger | typeof guestUsage, condition: SQL) =>
    sql`(select count(distinct recording_id) from ${table} where closed_at is null
      and flushed_at > ${since}::timestamptz and recording_id <> ${recordingId}::uuid and ${condition})`;
  const own =
    "userId" in scope
      ? count(usageLedger, sql`user_id = ${scope.userId}::uuid`)
      : count(guestUsage, sql`address = ${scope.address}::text`);
  const total = sql`${count(usageLedger, sql`true`)} + ${count(guestUsage, sql`true`)}`;
  return db.execute<CountRow>(sql`select ${own} as own, ${total} as total`);
}

/** Active recordings on the same allowance and of the whole site, without the given one. */
export function toActivity({ rows: [row] }: RawResult<CountRow>) {
  return { otherRecordings: Number(row?.own ?? 0), allRecordings: Number(row?.total ?? 0) };
}

export function getActiveSince(now: Date): Date {
  return new Date(now.getTime() - recordingActiveMs);
}
