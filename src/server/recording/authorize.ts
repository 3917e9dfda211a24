import { createHmac } from "node:crypto";
import type { CurrentSession, Limits, Services } from "#server/context.ts";
import {
  type BillingMode,
  selectPlanUsage,
  toLimitMs,
  toPlanUsage,
} from "#server/subscriptions/queries.ts";
import { AppError } from "#shared/errors.ts";
import { guestTicketLifetimeMs } from "#shared/limits.ts";
import type { SiteInfo } from "#shared/site.ts";
import { selectActivity, toActivity } from "./activity.ts";
import { readGuestTicket } from "./guest-ticket.ts";
import { hashGuestAddress, selectGuestUsage } from "./guest-usage-ledger.ts";
import {
  busyRetryAfterSeconds,
  getPeriod,
  hasCapacity,
  msPerMinute,
  type PlanLevel,
  planLimits,
} from "./plan-limits.ts";
import type { RoomGrant } from "./room/snapshot.ts";
import { selectRecordableLecture } from "./usage-ledger.ts";

const socketRetryAfterSeconds = 60;

/** Deployment settings that decide who may record. */
export interface RecordingSettings {
  /** Concurrent streams that the speech service allows for the site; null for no limit. */
  speech: { streams: number | null };
  /** Null: the site has none. */
  speechService: SiteInfo["speechService"];
  /** `speech`: the demo voice takes the service's place. */
  standIns: { speech: boolean };
  guestMinutesPerDay: number;
  guestTicketSecret: string;
  billing: { mode: BillingMode };
}

type AuthorizationServices = Pick<Services, "db" | "clock" | "limits"> & { env: RecordingSettings };

/** The id, of no lecture, under which the time is counted in which lecture `lectureId` is recognised again. */
function createAgainId(secret: string, lectureId: string): string {
  const hash = createHmac("sha256", secret).update(`recognised again: ${lectureId}`).digest("hex");
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-");
}

/**
 * Creates the grant for a signed-in user's socket. `isAgain`: the kept sound of the lecture is recognised again, in a
 * room of its own, so that the lecture's clock and its length stay.
 *
 * @throws AppError `speech_not_offered`, `rate_limited`, `allowance_exhausted`, `too_many_recordings`, `busy`, `not_found`
 */
export async function authorizeUser(
  { db, clock, limits, env }: AuthorizationServices,
  { session, lectureId, isAgain }: { session: CurrentSession; lectureId: string; isAgain: boolean },
): Promise<RoomGrant> {
  requireSpeech(env);
  const userId = session.user.id;
  const recordingId = isAgain ? createAgainId(env.guestTicketSecret, lectureId) : lectureId;
  await limitSockets(limits, `user:${userId}`);
  const now = clock.now();
  const [plans, used, lectures, activity] = await db.batch([
    ...selectPlanUsage(db, { userId, now, mode: env.billing.mode }),
    selectRecordableLecture(db, { userId, lectureId }),
    selectActivity(db, { userId }, { recordingId, now }),
  ]);
  const { mode } = env.billing;
  const { tier, hourLimit, usedMs } = toPlanUsage(plans, used, { mode, now });
  const limitMs = toLimitMs(hourLimit);
  if (usedMs >= limitMs) throw new AppError("allowance_exhausted");
  checkActivity(tier, toActivity(activity), env);
  // Last, so that a client learns all other reasons before it creates a lecture to record.
  if (lectures.length === 0) throw new AppError("not_found");
  return {
    recordingId,
    level: tier,
    usedMs,
    limitMs,
    address: null,
    ...(isAgain && { againLectureId: lectureId }),
    user: { id: userId, signInSessionId: session.id },
    expiresAt: session.expiresAt.getTime(),
  };
}

/**
 * Creates the grant for a guest's socket. `addressKey` is null if the network address is not known.
 *
 * @throws AppError `speech_not_offered`, `unauthenticated` without a ticket, `guest_ticket_invalid`, `not_found` for a ticket of
 *   another recording, `rate_limited`, `guest_allowance_exhausted`, `too_many_recordings`, `busy`
 */
export async function authorizeGuest(
  { db, clock, limits, env }: AuthorizationServices,
  guest: { ticket: string | undefined; addressKey: string | null; recordingId: string },
): Promise<RoomGrant> {
  const { recordingId, addressKey } = guest;
  const now = clock.now();
  requireSpeech(env);
  if (!guest.ticket) throw new AppError("unauthenticated");
  const ticket = readGuestTicket(env.guestTicketSecret, guest.ticket, now);
  if (!ticket) throw new AppError("guest_ticket_invalid");
  if (ticket.recordingId !== recordingId) throw new AppError("not_found");
  await limitSockets(limits, `ticket:${recordingId}`);
  // One guest can get many tickets, so the address is limited too.
  if (addressKey) await limitSockets(limits, addressKey);
  const address = hashGuestAddress(env.guestTicketSecret, addressKey);
  const day = getPeriod(now.getTime(), { userId: null });
  const [used, activity] = await db.batch([
    selectGuestUsage(db, { recordingId, address, day }),
    selectActivity(db, { address }, { recordingId, now }),
  ]);
  const usedMs = Number(used.rows[0]?.ms ?? 0);
  const limitMs = env.guestMinutesPerDay * msPerMinute;
  if (usedMs >= limitMs) throw new AppError("guest_allowance_exhausted");
  checkActivity("guest", toActivity(activity), env);
  // The ticket must be valid only now: its end does not interrupt a recording, the guest's limit does.
  const expiresAt = now.getTime() + guestTicketLifetimeMs;
  return { recordingId, user: null, address, level: "guest", usedMs, limitMs, expiresAt };
}

function requireSpeech({ speechService }: RecordingSettings): void {
  if (speechService === null) throw new AppError("speech_not_offered");
}

async function limitSockets({ recordings }: Limits, key: string): Promise<void> {
  if (!(await recordings.allow(key)))
    throw new AppError("rate_limited", { retryAfterSeconds: socketRetryAfterSeconds });
}

function checkActivity(
  level: PlanLevel,
  { otherRecordings, allRecordings }: ReturnType<typeof toActivity>,
  { speech }: RecordingSettings,
): void {
  if (otherRecordings >= planLimits[level].maxRecordings) throw new AppError("too_many_recordings");
  if (!hasCapacity(level, allRecordings, speech.streams))
    throw new AppError("busy", { retryAfterSeconds: busyRetryAfterSeconds });
}
