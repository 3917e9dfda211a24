import { and, isNull, lt, lte, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";

/** A room that lives closes its segment five minutes after its browser is gone. */
const deadAfterMs = 3_600_000;
/** A guest's ticket is good for a day after its end, and days begin at different times. */
const guestUsageKeptMs = 2 * 86_400_000;
/** Rows that one run touches at most in each table; the next run goes on. */
const maxRows = 5_000;

/** What became of the ledgers' loose ends. */
export interface ClosedSegments {
  closed: number;
  guestRows: number;
}

/**
 * Closes the segments of rooms that died, at the time of their last flush, and removes guests' days
 * that are over. Nobody's used time changes. A room that was only paused opens its segment again with
 * its next sound. The same call again finds nothing.
 */
export async function closeSegments(db: Database, now: Date): Promise<ClosedSegments> {
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
        // A room may have written to it since it was looked for.
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
