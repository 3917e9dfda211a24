import { type Context, Hono } from "hono";
import type { RoomGrant } from "../../server/recording/events.ts";
import { readGuestTicket } from "../../server/recording/guest-ticket.ts";
import { findRecordableLecture } from "../../server/recording/queries.ts";
import { readAllowance } from "../../server/subscriptions/queries.ts";
import { AppError } from "../../shared/errors.ts";
import { uuid } from "../../shared/lecture.ts";
import { guestTicketLifetimeMs } from "../../shared/limits.ts";
import { guestTicketHeader, guestTicketParam } from "../../shared/site.ts";
import type { AppEnv } from "../app-env.ts";
import { grantHeader } from "../durable/room-grant.ts";
import { isFromOwnPage } from "../middleware/origin.ts";

const retryAfterSeconds = 60;
const msPerHour = 3_600_000;

/**
 * `GET /api/recordings/:recordingId`: the relay's WebSocket. Everything is decided before the upgrade,
 * and a plain GET learns the same refusals, because a page cannot read why an upgrade failed.
 */
export const recordings = new Hono<AppEnv>();

recordings.get("/:recordingId", async (c) => {
  checkOrigin(c);
  const recordingId = uuid.safeParse(c.req.param("recordingId").toLowerCase());
  if (!recordingId.success) throw new AppError("validation_failed", { detail: "no uuid" });
  const grant = await grantFor(c, recordingId.data);
  const headers = new Headers(c.req.raw.headers);
  headers.set(grantHeader, JSON.stringify(grant));
  const room = c.env.RECORDING_ROOM.getByName(recordingId.data);
  return room.fetch(new Request(c.req.url, { headers }));
});

/** A browser names the page's origin with every upgrade; anything else must bring more than a cookie. */
function checkOrigin(c: Context<AppEnv>): void {
  const request = c.req.raw;
  if (isFromOwnPage(request)) return;
  const named = request.headers.has("origin") || request.headers.has("sec-fetch-site");
  const credential =
    /^bearer /i.test(request.headers.get("authorization") ?? "") ||
    c.get("guest") !== null ||
    (c.get("session") === null && !named);
  if (named || !credential) throw new AppError("origin_refused");
}

async function grantFor(c: Context<AppEnv>, recordingId: string): Promise<RoomGrant> {
  const { db, clock, limits, env } = c.get("services");
  const session = c.get("session");
  const now = clock.now();
  if (session) {
    const userId = session.user.id;
    await limit(limits.recordings, `user:${userId}`);
    if (!(await findRecordableLecture(db, { userId, lectureId: recordingId })))
      throw new AppError("not_found");
    const { hourLimit, usedMs } = await readAllowance(db, { userId, now });
    const limitMs = hourLimit * msPerHour;
    if (usedMs >= limitMs) throw new AppError("allowance_exhausted");
    return {
      recordingId,
      user: { id: userId, sessionId: session.id, monthUsedMs: usedMs, limitMs },
      expiresAt: session.expiresAt.getTime(),
    };
  }
  const text = c.req.header(guestTicketHeader) ?? c.req.query(guestTicketParam);
  const ticket = text ? await readGuestTicket(env.guestTicketSecret, text, now) : null;
  if (!ticket) throw new AppError(text ? "guest_ticket_invalid" : "unauthenticated");
  if (ticket.recordingId !== recordingId) throw new AppError("not_found");
  await limit(limits.recordings, `ticket:${recordingId}`);
  // The ticket had to be valid now. It does not end a recording in the middle: the guest's limit does.
  return { recordingId, user: null, expiresAt: now.getTime() + guestTicketLifetimeMs };
}

async function limit(
  limiter: { allow(key: string): Promise<boolean> },
  key: string,
): Promise<void> {
  if (!(await limiter.allow(key))) throw new AppError("rate_limited", { retryAfterSeconds });
}
