import { and, countDistinct, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "../../../drizzle/schema.ts";
import type { Database } from "../database.ts";
import { activeMs } from "./service-levels.ts";

/** Recordings that take room now. */
export interface Activity {
  /** On the same allowance, `recordingId` not counted. */
  others: number;
  /** Over everybody. */
  all: number;
}

/**
 * Who is recording at `now`: whose sound was written a moment ago and who has not stopped. `who` is
 * a user, or a guest's network address (null where it says nothing).
 */
export async function readActivity(
  db: Database,
  who: { userId: string } | { address: string | null },
  { recordingId, now }: { recordingId: string; now: Date },
): Promise<Activity> {
  const since = activeSince(now);
  const users = and(isNull(usageLedger.closedAt), gt(usageLedger.flushedAt, since));
  const guests = and(isNull(guestUsage.closedAt), gt(guestUsage.flushedAt, since));
  const others =
    "userId" in who
      ? db
          .select({ count: countDistinct(usageLedger.recordingId) })
          .from(usageLedger)
          .where(
            and(
              users,
              eq(usageLedger.userId, who.userId),
              ne(usageLedger.recordingId, recordingId),
            ),
          )
      : db
          .select({ count: countDistinct(guestUsage.recordingId) })
          .from(guestUsage)
          .where(
            and(
              guests,
              who.address === null ? sql`false` : eq(guestUsage.address, who.address),
              ne(guestUsage.recordingId, recordingId),
            ),
          );
  const [mine, byUsers, byGuests] = await db.batch([
    others,
    db
      .select({ count: countDistinct(usageLedger.recordingId) })
      .from(usageLedger)
      .where(and(users, ne(usageLedger.recordingId, recordingId))),
    db
      .select({ count: countDistinct(guestUsage.recordingId) })
      .from(guestUsage)
      .where(and(guests, ne(guestUsage.recordingId, recordingId))),
  ]);
  return {
    others: mine[0]?.count ?? 0,
    all: (byUsers[0]?.count ?? 0) + (byGuests[0]?.count ?? 0),
  };
}

export function activeSince(now: Date): Date {
  return new Date(now.getTime() - activeMs);
}
