import { AppError } from "../../shared/errors.ts";
import type { Database } from "../database.ts";
import { type BillingMode, planUsageFrom, selectPlanUsage } from "../subscriptions/queries.ts";
import { type Activity, activityFrom, selectActivity } from "./activity.ts";
import { selectGuestUsage } from "./guest-usage.ts";
import { periodOf } from "./period.ts";
import { selectRecordableLecture } from "./queries.ts";
import { hasRoom, type ServiceLevel, services } from "./service-levels.ts";

const msPerMinute = 60_000;
const msPerHour = 3_600_000;
const busyRetryAfterSeconds = 30;

/** On what terms somebody may record. */
export interface Admission {
  level: ServiceLevel;
  /** Recorded in the current period (a user's month, a guest's day), ms. */
  usedMs: number;
  limitMs: number;
}

interface Recording {
  recordingId: string;
  now: Date;
  /** Streams that the speech service allows the whole site; null for no limit. */
  streams: number | null;
}

/**
 * Whether a user may record now. One round trip.
 *
 * @throws AppError `allowance_exhausted`, `too_many_recordings`, `busy`; `not_found` comes last, so that
 *   a page learns of every other refusal before it makes a lecture to record.
 */
export async function admitUser(
  db: Database,
  { userId, mode, ...recording }: Recording & { userId: string; mode: BillingMode },
): Promise<Admission> {
  const { recordingId, now } = recording;
  const [plans, used, found, ...counts] = await db.batch([
    ...selectPlanUsage(db, { userId, now, mode }),
    selectRecordableLecture(db, { userId, lectureId: recordingId }),
    ...selectActivity(db, { userId }, recording),
  ]);
  const { tier, hourLimit, usedMs } = planUsageFrom(plans, used, now);
  const limitMs = hourLimit * msPerHour;
  if (usedMs >= limitMs) throw new AppError("allowance_exhausted");
  checkActivity(tier, activityFrom(...counts), recording.streams);
  if (found.length === 0) throw new AppError("not_found");
  return { level: tier, usedMs, limitMs };
}

/**
 * Whether a guest may record now; `address` is what `guestAddress` made. One round trip.
 *
 * @throws AppError `guest_allowance_exhausted`, `too_many_recordings`, `busy`
 */
export async function admitGuest(
  db: Database,
  {
    address,
    minutesPerDay,
    ...recording
  }: Recording & { address: string | null; minutesPerDay: number },
): Promise<Admission> {
  const { recordingId, now } = recording;
  const day = periodOf(now.getTime(), { userId: null });
  const [used, ...counts] = await db.batch([
    selectGuestUsage(db, { recordingId, address, day }),
    ...selectActivity(db, { address }, recording),
  ]);
  const usedMs = Number(used.rows[0]?.ms ?? 0);
  const limitMs = minutesPerDay * msPerMinute;
  if (usedMs >= limitMs) throw new AppError("guest_allowance_exhausted");
  checkActivity("guest", activityFrom(...counts), recording.streams);
  return { level: "guest", usedMs, limitMs };
}

function checkActivity(
  level: ServiceLevel,
  { others, all }: Activity,
  streams: number | null,
): void {
  if (others >= services[level].recordings) throw new AppError("too_many_recordings");
  if (!hasRoom(level, all, streams))
    throw new AppError("busy", { retryAfterSeconds: busyRetryAfterSeconds });
}
