import type { CurrentSession, Limits, Services } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { type BillingMode, selectPlanUsage, toPlanUsage } from "#server/subscriptions/queries.ts";
import { AppError } from "#shared/errors.ts";
import { guestTicketLifetimeMs } from "#shared/limits.ts";
import { type Activity, selectActivity, toActivity } from "./activity.ts";
import { readGuestTicket } from "./guest-ticket.ts";
import { hashGuestAddress, selectGuestUsage } from "./guest-usage-ledger.ts";
import { getPeriod } from "./period.ts";
import { hasCapacity, type PlanLevel, planLimits } from "./plan-limits.ts";
import type { RoomGrant } from "./room/snapshot.ts";
import { selectRecordableLecture } from "./usage-ledger.ts";

const msPerMinute = 60_000;
const msPerHour = 3_600_000;
const busyRetryAfterSeconds = 30;
const socketRetryAfterSeconds = 60;

/** Deployment settings that decide who may record. */
export interface RecordingSettings {
  /** Concurrent streams that the speech service allows for the site; null for no limit. */
  soniox: { streams: number | null };
  guestMinutesPerDay: number;
  guestTicketSecret: string;
  billing: { mode: BillingMode };
}

type AuthorizationServices = Pick<Services, "db" | "clock" | "limits"> & { env: RecordingSettings };

/**
 * Creates the grant for a signed-in user's socket.
 *
 * @throws AppError `rate_limited`, and the errors of `admitUser`
 */
export async function authorizeUser(
  { db, clock, limits, env }: AuthorizationServices,
  { session, recordingId }: { session: CurrentSession; recordingId: string },
): Promise<RoomGrant> {
  const userId = session.user.id;
  await limitSockets(limits, `user:${userId}`);
  const admission = await admitUser(db, {
    ...{ userId, recordingId, now: clock.now() },
    mode: env.billing.mode,
    streams: env.soniox.streams,
  });
  return {
    ...admission,
    recordingId,
    user: { id: userId, sessionId: session.id },
    address: null,
    expiresAt: session.expiresAt.getTime(),
  };
}

/**
 * Creates the grant for a guest's socket. `addressKey` is null if the network address is not known.
 *
 * @throws AppError `unauthenticated` without a ticket, `guest_ticket_invalid`, `not_found` for a ticket of
 *   another recording, `rate_limited`, and the errors of `admitGuest`
 */
export async function authorizeGuest(
  { db, clock, limits, env }: AuthorizationServices,
  guest: { ticket: string | undefined; addressKey: string | null; recordingId: string },
): Promise<RoomGrant> {
  const { recordingId, addressKey } = guest;
  const now = clock.now();
  if (!guest.ticket) throw new AppError("unauthenticated");
  const ticket = await readGuestTicket(env.guestTicketSecret, guest.ticket, now);
  if (!ticket) throw new AppError("guest_ticket_invalid");
  if (ticket.recordingId !== recordingId) throw new AppError("not_found");
  await limitSockets(limits, `ticket:${recordingId}`);
  // One guest can get many tickets, so the address is limited too.
  if (addressKey) await limitSockets(limits, addressKey);
  const address = await hashGuestAddress(env.guestTicketSecret, addressKey);
  const admission = await admitGuest(db, {
    ...{ address, recordingId, now },
    minutesPerDay: env.guestMinutesPerDay,
    streams: env.soniox.streams,
  });
  // The ticket must be valid only now: its end does not interrupt a recording, the guest's limit does.
  const expiresAt = now.getTime() + guestTicketLifetimeMs;
  return { ...admission, recordingId, user: null, address, expiresAt };
}

async function limitSockets({ recordings }: Limits, key: string): Promise<void> {
  if (!(await recordings.allow(key)))
    throw new AppError("rate_limited", { retryAfterSeconds: socketRetryAfterSeconds });
}

/** Plan level and allowance of an admitted recording. */
interface Admission {
  level: PlanLevel;
  /** Recorded in the current period (a user's month, a guest's day), ms. */
  usedMs: number;
  limitMs: number;
}

interface Recording {
  recordingId: string;
  now: Date;
  /** Concurrent streams that the speech service allows for the site; null for no limit. */
  streams: number | null;
}

/**
 * Checks whether a user may record now. One round trip.
 *
 * @throws AppError `allowance_exhausted`, `too_many_recordings`, `busy`; `not_found` comes last, so that
 *   a client learns all other reasons before it creates a lecture to record.
 */
async function admitUser(
  db: Database,
  { userId, mode, ...recording }: Recording & { userId: string; mode: BillingMode },
): Promise<Admission> {
  const { recordingId, now } = recording;
  const [plans, used, found, ...counts] = await db.batch([
    ...selectPlanUsage(db, { userId, now, mode }),
    selectRecordableLecture(db, { userId, lectureId: recordingId }),
    ...selectActivity(db, { userId }, recording),
  ]);
  const { tier, hourLimit, usedMs } = toPlanUsage(plans, used, now);
  const limitMs = hourLimit * msPerHour;
  if (usedMs >= limitMs) throw new AppError("allowance_exhausted");
  checkActivity(tier, toActivity(...counts), recording.streams);
  if (found.length === 0) throw new AppError("not_found");
  return { level: tier, usedMs, limitMs };
}

/**
 * Checks whether a guest may record now; `address` comes from `hashGuestAddress`. One round trip.
 *
 * @throws AppError `guest_allowance_exhausted`, `too_many_recordings`, `busy`
 */
async function admitGuest(
  db: Database,
  {
    address,
    minutesPerDay,
    ...recording
  }: Recording & { address: string | null; minutesPerDay: number },
): Promise<Admission> {
  const { recordingId, now } = recording;
  const day = getPeriod(now.getTime(), { userId: null });
  const [used, ...counts] = await db.batch([
    selectGuestUsage(db, { recordingId, address, day }),
    ...selectActivity(db, { address }, recording),
  ]);
  const usedMs = Number(used.rows[0]?.ms ?? 0);
  const limitMs = minutesPerDay * msPerMinute;
  if (usedMs >= limitMs) throw new AppError("guest_allowance_exhausted");
  checkActivity("guest", toActivity(...counts), recording.streams);
  return { level: "guest", usedMs, limitMs };
}

function checkActivity(
  level: PlanLevel,
  { otherRecordings, allRecordings }: Activity,
  streams: number | null,
): void {
  if (otherRecordings >= planLimits[level].maxRecordings) throw new AppError("too_many_recordings");
  if (!hasCapacity(level, allRecordings, streams))
    throw new AppError("busy", { retryAfterSeconds: busyRetryAfterSeconds });
}
