import { type Context, Hono } from "hono";
import type * as z from "zod/mini";
import { authorizeGuest, authorizeUser } from "#server/recording/authorize.ts";
import { violationBlockMs } from "#server/recording/room/client-budget.ts";
import type { RoomGrant } from "#server/recording/room/snapshot.ts";
import { AppError, getHttpStatus } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { preflightParam, type preflightResponse } from "#shared/relay.ts";
import { againParam, guestTicketHeader, guestTicketParam } from "#shared/site.ts";
import { addGrant, isUpgradeRequest, roomGrantHeader } from "#worker/durable/sockets.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { checkUpgradeOrigin } from "#worker/http/middleware/origin.ts";

/**
 * `GET /api/recordings/:recordingId`: the relay's WebSocket. Authorization happens before the upgrade. A
 * plain GET returns the same errors, because a page cannot read why an upgrade failed.
 */
export const recordings = new Hono<AppEnv>();

recordings.get("/:recordingId", async (c) => {
  checkUpgradeOrigin(c);
  const recordingId = uuid.safeParse(c.req.param("recordingId").toLowerCase());
  if (!recordingId.success) throw new AppError("validation_failed", { detail: "no uuid" });
  if (c.req.query(preflightParam) === "1" && !isUpgradeRequest(c.req.raw))
    return answerPreflight(c, recordingId.data);
  const grant = await authorize(c, recordingId.data);
  const room = c.env.RECORDING_ROOM.getByName(grant.recordingId);
  const response = await room.fetch(addGrant(c.req.raw, roomGrantHeader, grant));
  if (response.status === getHttpStatus("rate_limited"))
    throw new AppError("rate_limited", { retryAfterSeconds: violationBlockMs / 1_000 });
  return response;
});

/** Returns whether an upgrade would be refused now, and why. */
async function answerPreflight(c: Context<AppEnv>, recordingId: string): Promise<Response> {
  const body: z.infer<typeof preflightResponse> = { refusal: null };
  try {
    await authorize(c, recordingId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    body.refusal = error.code;
    if (error.retryAfterSeconds !== undefined) body.retryAfterSeconds = error.retryAfterSeconds;
  }
  return c.json(body);
}

/** @throws AppError with the reason why the caller may not record, or not have the lecture recognised again. */
function authorize(c: Context<AppEnv>, recordingId: string): Promise<RoomGrant> {
  const services = c.get("services");
  const session = c.get("session");
  const isAgain = c.req.query(againParam) === "1";
  if (session) return authorizeUser(services, { session, lectureId: recordingId, isAgain });
  if (isAgain) throw new AppError("unauthenticated");
  const ticket = c.req.header(guestTicketHeader) ?? c.req.query(guestTicketParam);
  const addressKey = getAddressKey(c.req.raw);
  return authorizeGuest(services, { ticket, addressKey, recordingId });
}
