import { and, countDistinct, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { recordingActiveMs } from "./plan-limits.ts";

/** Numbers of active recordings, which take capacity. */
export interface Activity {
  /** On the same allowance, without `recordingId`. */
  otherRecordings: number;
  /** Of the whole site, without `recordingId`. */
  allRecordings: number;
}

type ActivityScope = { userId: string } | { address: string | null };

/**
 * The three statements for `toActivity`, to be part of a batch. A recording is active at `now` if its
 * segment is open and was flushed recently. `scope` is a user, or a guest's hashed network address (null
 * if it is not known).
 */
export function selectActivity(
  db: Database,
  scope: ActivityScope,
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
    "userId" in scope
      ? userCount().where(and(users, eq(usageLedger.userId, scope.userId)))
      : guestCount().where(
          and(guests, scope.address === null ? sql`false` : eq(guestUsage.address, scope.address)),
        );
  return [own, userCount().where(users), guestCount().where(guests)] as const;
}

type CountRows = { count: number }[];

/** Converts the results of `selectActivity`. */
export function toActivity(own: CountRows, byUsers: CountRows, byGuests: CountRows): Activity {
  return {
    otherRecordings: own[0]?.count ?? 0,
    allRecordings: (byUsers[0]?.count ?? 0) + (byGuests[0]?.count ?? 0),
  };
}

/** Reads the active recordings at `now`, without `recordingId`. One round trip. */
export async function readActivity(
  db: Database,
  scope: ActivityScope,
  recording: { recordingId: string; now: Date },
): Promise<Activity> {
  return toActivity(...(await db.batch(selectActivity(db, scope, recording))));
}

export function getActiveSince(now: Date): Date {
  return new Date(now.getTime() - recordingActiveMs);
}
