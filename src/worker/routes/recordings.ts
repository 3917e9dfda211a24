import { type Context, Hono } from "hono";
import { readActivity } from "../../server/recording/activity.ts";
import type { RoomGrant } from "../../server/recording/events.ts";
import { readGuestTicket } from "../../server/recording/guest-ticket.ts";
import { guestAddress, readGuestUsage } from "../../server/recording/guest-usage.ts";
import { periodOf } from "../../server/recording/period.ts";
import { findRecordableLecture } from "../../server/recording/queries.ts";
import { hasRoom, type ServiceLevel, services } from "../../server/recording/service-levels.ts";
import { readPlanUsage } from "../../server/subscriptions/queries.ts";
import { AppError } from "../../shared/errors.ts";
import { uuid } from "../../shared/lecture.ts";
import { guestTicketLifetimeMs } from "../../shared/limits.ts";
import { guestTicketHeader, guestTicketParam } from "../../shared/site.ts";
import type { AppEnv } from "../app-env.ts";
import { grantHeader } from "../durable/room-grant.ts";
import { addressKeyOf } from "../middleware/address.ts";
import { checkUpgradeOrigin } from "../middleware/upgrade-origin.ts";

const retryAfterSeconds = 60;
const busyRetryAfterSeconds = 30;
const msPerMinute = 60_000;
const msPerHour = 3_600_000;

/**
 * `GET /api/recordings/:recordingId`: the relay's WebSocket. Everything is decided before the upgrade,
 * and a plain GET learns the same refusals, because a page cannot read why an upgrade failed.
 */
export const recordings = new Hono<AppEnv>();

recordings.get("/:recordingId", async (c) => {
  checkUpgradeOrigin(c);
  const recordingId = uuid.safeParse(c.req.param("recordingId").toLowerCase());
  if (!recordingId.success) throw new AppError("validation_failed", { detail: "no uuid" });
  const grant = await grantFor(c, recordingId.data);
  const headers = new Headers(c.req.raw.headers);
  headers.set(grantHeader, JSON.stringify(grant));
  const room = c.env.RECORDING_ROOM.getByName(recordingId.data);
  return room.fetch(new Request(c.req.url, { headers }));
});

async function grantFor(c: Context<AppEnv>, recordingId: string): Promise<RoomGrant> {
  const { db, clock, limits, env } = c.get("services");
  const session = c.get("session");
  if (!session) return guestGrantFor(c, recordingId);
  const now = clock.now();
  const userId = session.user.id;
  await limit(limits.recordings, `user:${userId}`);
  if (!(await findRecordableLecture(db, { userId, lectureId: recordingId })))
    throw new AppError("not_found");
  const { tier, hourLimit, usedMs } = await readPlanUsage(db, {
    ...{ userId, now },
    mode: env.billing.mode,
  });
  const limitMs = hourLimit * msPerHour;
  if (usedMs >= limitMs) throw new AppError("allowance_exhausted");
  await checkRoom(c, tier, { userId }, recordingId);
  return {
    recordingId,
    user: { id: userId, sessionId: session.id },
    address: null,
    level: tier,
    usedMs,
    limitMs,
    expiresAt: session.expiresAt.getTime(),
  };
}

async function guestGrantFor(c: Context<AppEnv>, recordingId: string): Promise<RoomGrant> {
  const { db, clock, limits, env } = c.get("services");
  const now = clock.now();
  const text = c.req.header(guestTicketHeader) ?? c.req.query(guestTicketParam);
  const ticket = text ? await readGuestTicket(env.guestTicketSecret, text, now) : null;
  if (!ticket) throw new AppError(text ? "guest_ticket_invalid" : "unauthenticated");
  if (ticket.recordingId !== recordingId) throw new AppError("not_found");
  await limit(limits.recordings, `ticket:${recordingId}`);
  const address = await guestAddress(env.guestTicketSecret, addressKeyOf(c.req.raw));
  const day = periodOf(now.getTime(), { userId: null });
  const usedMs = await readGuestUsage(db, { recordingId, address, day });
  const limitMs = env.guestMinutesPerDay * msPerMinute;
  if (usedMs >= limitMs) throw new AppError("guest_allowance_exhausted");
  await checkRoom(c, "guest", { address }, recordingId);
  // The ticket had to be valid now. It does not end a recording in the middle: the guest's limit does.
  const expiresAt = now.getTime() + guestTicketLifetimeMs;
  return { recordingId, user: null, address, level: "guest", usedMs, limitMs, expiresAt };
}

/** @throws AppError `too_many_recordings`, `busy` */
async function checkRoom(
  c: Context<AppEnv>,
  level: ServiceLevel,
  who: Parameters<typeof readActivity>[1],
  recordingId: string,
): Promise<void> {
  const { db, clock, env } = c.get("services");
  const { others, all } = await readActivity(db, who, { recordingId, now: clock.now() });
  if (others >= services[level].recordings) throw new AppError("too_many_recordings");
  if (!hasRoom(level, all, env.soniox.streams))
    throw new AppError("busy", { retryAfterSeconds: busyRetryAfterSeconds });
}

async function limit(
  limiter: { allow(key: string): Promise<boolean> },
  key: string,
): Promise<void> {
  if (!(await limiter.allow(key))) throw new AppError("rate_limited", { retryAfterSeconds });
}
