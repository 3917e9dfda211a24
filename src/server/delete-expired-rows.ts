import { lte, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  dailyCounters,
  oauthCodes,
  oauthTokens,
  oneTimeTokens,
  personalTokens,
  refreshFamilies,
  sessions,
  summaryNotes,
  webhookEvents,
} from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "./database.ts";

const dayMs = 86_400_000;
/** How long an expired link is reported as expired; after that it is unknown. */
const expiredLinkKeptMs = 30 * dayMs;
/** How long the profile lists an expired token. */
const expiredTokenKeptMs = 30 * dayMs;
/** How long it is noticed that a code comes again. */
const expiredCodeKeptMs = dayMs;
/** How long webhook events are kept to detect repeats. Stripe retries for at most a month. */
const webhookEventsKeptMs = 90 * dayMs;

/** How long other tabs and devices can learn from `deletedIds` that a row was deleted. */
const deletionsKeptMs = 30 * dayMs;
/** How long the notes of a summary are kept that was not completed. */
const summaryNotesKeptMs = 7 * dayMs;

/** Most rows that one run deletes per table; the next run continues. */
const maxRows = 5_000;

/** Deletes expired rows, and returns how many of each kind. Idempotent. */
export async function purgeExpired(db: Database, now: Date) {
  const goBack = (ms: number) => new Date(now.getTime() - ms);
  const yesterday = goBack(dayMs).toISOString().slice(0, 10);
  return {
    sessions: await deleteOldest(db, sessions.expiresAt, now),
    tokens: await deleteOldest(db, oneTimeTokens.expiresAt, goBack(expiredLinkKeptMs)),
    personalTokens: await deleteOldest(db, personalTokens.expiresAt, goBack(expiredTokenKeptMs)),
    oauthCodes: await deleteOldest(db, oauthCodes.expiresAt, goBack(expiredCodeKeptMs)),
    oauthTokens: await deleteOldest(db, oauthTokens.expiresAt, now),
    // Their tokens and sessions are deleted by cascade.
    families: await deleteOldest(db, refreshFamilies.expiresAt, now),
    webhookEvents: await deleteOldest(db, webhookEvents.processedAt, goBack(webhookEventsKeptMs)),
    summaryNotes: await deleteOldest(db, summaryNotes.createdAt, goBack(summaryNotesKeptMs)),
    dailyCounters: await deleteOldest(db, dailyCounters.day, yesterday),
    deletedEntries: await forgetDeletions(db, goBack(deletionsKeptMs)),
  };
}

/** The lectures note up to which `seq` deletions may be forgotten: who asks for what changed since then gets all rows. */
async function forgetDeletions(db: Database, end: Date): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    with forgotten as (
      delete from deleted_entries where ctid in (
        select ctid from deleted_entries where deleted_at <= ${toTimestamp(end)} order by deleted_at limit ${maxRows}::int
      ) returning lecture_id, seq
    ),
    noted as (
      update lectures set forgotten_seq = greatest(forgotten_seq, latest.seq)
      from (select lecture_id, max(seq) as seq from forgotten group by lecture_id) as latest
      where lectures.id = latest.lecture_id
    )
    select count(*)::int as count from forgotten`);
  return rows[0]?.count ?? 0;
}

/** Deletes the rows whose `column` is `end` or earlier, the oldest first. */
async function deleteOldest(db: Database, column: PgColumn, end: Date | string): Promise<number> {
  const { rows } = await db.execute(sql`
    delete from ${column.table} where ctid in (
      select ctid from ${column.table} where ${lte(column, end)} order by ${column} limit ${maxRows}::int
    ) returning 1`);
  return rows.length;
}
