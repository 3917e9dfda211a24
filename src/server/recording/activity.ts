import { and, countDistinct, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { recordingActiveMs } from "./plan-limits.ts";

/** Recordings that take room now. */
export interface Activity {
  /** On the same allowance, `recordingId` not counted. */
  otherRecordings: number;
  /** Over everybody. */
  allRecordings: number;
}

type ActivityScope = { userId: string } | { address: string | null };

/**
 * The three statements that `activityFrom` reads, to go along in a batch: who is recording at `now`,
 * which is whose sound was written a moment ago and who has not stopped. `who` is a user, or a guest's
 * network address (null where it says nothing).
 */
export function selectActivity(
  db: Database,
  who: ActivityScope,
  { recordingId, now }: { recordingId: string; now: Date },
) {
  const since = getActiveSince(now);
  const users = and(
    isNull(usageLedger.closedAt),
    gt(usageLedger.flushedAt, since),
    ne(usageLedger.recordingId, recordingId),
  );
  const guests = and(
    isNull(guestUsage.closedAt),
    gt(guestUsage.flushedAt, since),
    ne(guestUsage.recordingId, recordingId),
  );
  const userCount = () =>
    db.select({ count: countDistinct(usageLedger.recordingId) }).from(usageLedger);
  const guestCount = () =>
    db.select({ count: countDistinct(guestUsage.recordingId) }).from(guestUsage);
  const own =
    "userId" in who
      ? userCount().where(and(users, eq(usageLedger.userId, who.userId)))
      : guestCount().where(
          and(guests, who.address === null ? sql`false` : eq(guestUsage.address, who.address)),
        );
  return [own, userCount().where(users), guestCount().where(guests)] as const;
}

type CountRows = { count: number }[];

/** What the answers to `selectActivity` say. */
export function toActivity(own: CountRows, byUsers: CountRows, byGuests: CountRows): Activity {
  return {
    otherRecordings: own[0]?.count ?? 0,
    allRecordings: (byUsers[0]?.count ?? 0) + (byGuests[0]?.count ?? 0),
  };
}

/** The recordings that take room at `now`, without `recordingId`: three statements, one round trip. */
export async function readActivity(
  db: Database,
  who: ActivityScope,
  recording: { recordingId: string; now: Date },
): Promise<Activity> {
  return toActivity(...(await db.batch(selectActivity(db, who, recording))));
}

export function getActiveSince(now: Date): Date {
  return new Date(now.getTime() - recordingActiveMs);
}
