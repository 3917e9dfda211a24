import { createMiddleware } from "hono/factory";
import { AppError } from "#shared/errors.ts";
import type { AppEnv } from "#worker/http/hono-env.ts";
import { getServices } from "#worker/services.ts";
import { readCredential } from "./credential.ts";

/**
 * Runs before the session is read: a credential whose upgrade was recently rejected as `rate_limited`, by a
 * limit or by the room, is rejected again.
 */
export const rejectEarlySockets = createMiddleware<AppEnv>(async (c, next) => {
  const { refusedSockets, clock } = getServices(c.env);
  const key = `${c.req.path} ${readCredential(c)}`;
  const now = clock.now().getTime();
  if (refusedSockets.has(key, now))
    throw new AppError("rate_limited", { retryAfterSeconds: refusedSockets.lifetimeMs / 1_000 });
  await next();
  if (c.error instanceof AppError && c.error.code === "rate_limited") refusedSockets.add(key, now);
});
