import { and, isNull, lt, lte, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";

/** A running room closes its segment within five minutes after its client has left. */
const deadAfterMs = 3_600_000;
/** A guest's ticket can be renewed for a day after its end, and days start at different times. */
const guestUsageKeptMs = 2 * 86_400_000;
/** Most rows per table that one run changes; the next run continues. */
const maxRows = 5_000;

/**
 * Closes segments of crashed rooms at the time of their last flush, and deletes guests' rows of past
 * days. Used time does not change. A room that was only paused reopens its segment with its next audio.
 * Idempotent.
 */
export async function closeSegments(
  db: Database,
  now: Date,
): Promise<{ closed: number; guestRows: number }> {
  const deadSince = new Date(now.getTime() - deadAfterMs);
  const dead = db
    .select({ recordingId: usageLedger.recordingId, segment: usageLedger.segment })
    .from(usageLedger)
    .where(and(isNull(usageLedger.closedAt), lte(usageLedger.flushedAt, deadSince)))
    .orderBy(usageLedger.flushedAt)
    .limit(maxRows);
  const closed = await db
    .update(usageLedger)
    .set({ closedAt: sql`${usageLedger.flushedAt}` })
    .where(
      and(
        sql`(${usageLedger.recordingId}, ${usageLedger.segment}) in ${dead}`,
        // A room may have written to it since the subquery ran.
        lte(usageLedger.flushedAt, deadSince),
      ),
    )
    .returning({ one: sql`1` });
  const lastDay = new Date(now.getTime() - guestUsageKeptMs).toISOString().slice(0, 10);
  const old = db
    .select({ recordingId: guestUsage.recordingId, segment: guestUsage.segment })
    .from(guestUsage)
    .where(lt(guestUsage.day, lastDay))
    .orderBy(guestUsage.day)
    .limit(maxRows);
  const guestRows = await db
    .delete(guestUsage)
    .where(sql`(${guestUsage.recordingId}, ${guestUsage.segment}) in ${old}`)
    .returning({ one: sql`1` });
  return { closed: closed.length, guestRows: guestRows.length };
}
