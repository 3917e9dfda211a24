import { Hono } from "hono";
import { AppError } from "#shared/errors.ts";
import { addGrant, channelGrantHeader } from "#worker/durable/sockets.ts";
import type { ChannelGrant } from "#worker/durable/user-channel.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { checkUpgradeOrigin } from "#worker/http/middleware/origin.ts";

const retryAfterSeconds = 60;

/** `GET /api/live`: the user channel, a WebSocket that tells open pages that plan, usage or profile changed elsewhere. */
export const userChannel = new Hono<AppEnv>();

userChannel.get("/", async (c) => {
  checkUpgradeOrigin(c);
  const session = c.get("session");
  if (!session) throw new AppError("unauthenticated");
  const { limits } = c.get("services");
  const userId = session.user.id;
  if (!(await limits.recordings.allow(`live:${userId}`)))
    throw new AppError("rate_limited", { retryAfterSeconds });
  const grant: ChannelGrant = {
    userId,
    signInId: session.id,
    expiresAt: session.expiresAt.getTime(),
  };
  const request = addGrant(c.req.raw, channelGrantHeader, grant);
  return c.env.USER_CHANNEL.getByName(userId).fetch(request);
});
