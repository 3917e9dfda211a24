import { type Context, Hono } from "hono";
import type * as z from "zod/mini";
import { admitGuest, admitUser } from "../../server/recording/admission.ts";
import { offenceMs } from "../../server/recording/client-budget.ts";
import type { RoomGrant } from "../../server/recording/events.ts";
import { readGuestTicket } from "../../server/recording/guest-ticket.ts";
import { guestAddress } from "../../server/recording/guest-usage.ts";
import { AppError, statusOf } from "../../shared/errors.ts";
import { uuid } from "../../shared/lecture.ts";
import { guestTicketLifetimeMs } from "../../shared/limits.ts";
import { askParam, type relayAnswer } from "../../shared/relay.ts";
import { guestTicketHeader, guestTicketParam } from "../../shared/site.ts";
import type { AppEnv } from "../app-env.ts";
import { isUpgrade } from "../durable/refusal.ts";
import { grantHeader } from "../durable/room-grant.ts";
import { addressKeyOf } from "../middleware/address.ts";
import { checkUpgradeOrigin } from "../middleware/upgrade-origin.ts";

const retryAfterSeconds = 60;

/**
 * `GET /api/recordings/:recordingId`: the relay's WebSocket. Everything is decided before the upgrade,
 * and a plain GET learns the same refusals, because a page cannot read why an upgrade failed.
 */
export const recordings = new Hono<AppEnv>();

recordings.get("/:recordingId", async (c) => {
  checkUpgradeOrigin(c);
  const recordingId = uuid.safeParse(c.req.param("recordingId").toLowerCase());
  if (!recordingId.success) throw new AppError("validation_failed", { detail: "no uuid" });
  if (c.req.query(askParam) === "1" && !isUpgrade(c.req.raw)) return answer(c, recordingId.data);
  const grant = await grantFor(c, recordingId.data);
  const headers = new Headers(c.req.raw.headers);
  headers.set(grantHeader, JSON.stringify(grant));
  const room = c.env.RECORDING_ROOM.getByName(recordingId.data);
  const response = await room.fetch(new Request(c.req.url, { headers }));
  if (response.status === statusOf("rate_limited"))
    throw new AppError("rate_limited", { retryAfterSeconds: offenceMs / 1_000 });
  return response;
});

/** Whether an upgrade would be refused now, and why. */
async function answer(c: Context<AppEnv>, recordingId: string): Promise<Response> {
  const body: z.infer<typeof relayAnswer> = { refusal: null };
  try {
    await grantFor(c, recordingId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    body.refusal = error.code;
  }
  return c.json(body);
}

/** @throws AppError with the reason why the caller may not record. */
async function grantFor(c: Context<AppEnv>, recordingId: string): Promise<RoomGrant> {
  const { db, clock, limits, env } = c.get("services");
  const session = c.get("session");
  if (!session) return guestGrantFor(c, recordingId);
  const userId = session.user.id;
  await limit(limits.recordings, `user:${userId}`);
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

async function guestGrantFor(c: Context<AppEnv>, recordingId: string): Promise<RoomGrant> {
  const { db, clock, limits, env } = c.get("services");
  const now = clock.now();
  const text = c.req.header(guestTicketHeader) ?? c.req.query(guestTicketParam);
  const ticket = text ? await readGuestTicket(env.guestTicketSecret, text, now) : null;
  if (!ticket) throw new AppError(text ? "guest_ticket_invalid" : "unauthenticated");
  if (ticket.recordingId !== recordingId) throw new AppError("not_found");
  const addressKey = addressKeyOf(c.req.raw);
  await limit(limits.recordings, `ticket:${recordingId}`);
  // Tickets cost nothing: one guest could have many.
  if (addressKey) await limit(limits.recordings, addressKey);
  const address = await guestAddress(env.guestTicketSecret, addressKey);
  const admission = await admitGuest(db, {
    ...{ address, recordingId, now },
    minutesPerDay: env.guestMinutesPerDay,
    streams: env.soniox.streams,
  });
  // The ticket had to be valid now. It does not end a recording in the middle: the guest's limit does.
  const expiresAt = now.getTime() + guestTicketLifetimeMs;
  return { ...admission, recordingId, user: null, address, expiresAt };
}

async function limit(
  limiter: { allow(key: string): Promise<boolean> },
  key: string,
): Promise<void> {
  if (!(await limiter.allow(key))) throw new AppError("rate_limited", { retryAfterSeconds });
}
