import { sql } from "drizzle-orm";
import {
  dailyCounters,
  guestUsage,
  usageLedger,
  webhookDeliveries,
  webhooks,
} from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { getActiveSince } from "#server/recording/activity.ts";

/** A room closes its segment within five minutes after its client has left, and writes every 20 s before. */
const behindAfterMs = 360_000;

/** What the database knows at `now`. */
export interface Gauges {
  openRecordings: { user: number; guest: number };
  /** Open segments of users that were not written for six minutes: their rooms died, or cannot write. */
  segmentsBehind: number;
  webhooks: { waiting: number; overdueSeconds: number; disabled: number };
  /** Characters of the day. */
  modelCharacters: { site: number; guests: number };
}

/** Reads all of them in one statement, from indexes. */
export async function readGauges(db: Database, now: Date): Promise<Gauges> {
  const at = toTimestamp(now);
  const since = toTimestamp(getActiveSince(now));
  const behind = toTimestamp(new Date(now.getTime() - behindAfterMs));
  const day = now.toISOString().slice(0, 10);
  const countOpen = (table: typeof usageLedger | typeof guestUsage) =>
    sql`(select count(distinct recording_id) from ${table} where closed_at is null and flushed_at > ${since})`;
  const used = (key: string) =>
    sql`(select coalesce(sum(amount), 0) from ${dailyCounters} where day = ${day}::date and key = ${key}::text)`;
  const { rows } = await db.execute<Record<string, string | number>>(sql`
    select ${countOpen(usageLedger)} as users, ${countOpen(guestUsage)} as guests,
      (select count(*) from ${usageLedger} where closed_at is null and flushed_at <= ${behind}) as behind,
      (select count(*) from ${webhookDeliveries}) as waiting,
      (select coalesce(extract(epoch from ${at} - min(delivery.next_attempt_at)), 0)
        from ${webhookDeliveries} delivery join ${webhooks} webhook on webhook.id = delivery.webhook_id
        where webhook.disabled_at is null and delivery.next_attempt_at <= ${at}) as overdue,
      (select count(*) from ${webhooks} where disabled_at is not null) as disabled,
      ${used("model:site")} as site, ${used("model:guests")} as guest_characters`);
  const get = (column: string) => Number(rows[0]?.[column] ?? 0);
  return {
    openRecordings: { user: get("users"), guest: get("guests") },
    segmentsBehind: get("behind"),
    webhooks: {
      waiting: get("waiting"),
      overdueSeconds: get("overdue"),
      disabled: get("disabled"),
    },
    modelCharacters: { site: get("site"), guests: get("guest_characters") },
  };
}
