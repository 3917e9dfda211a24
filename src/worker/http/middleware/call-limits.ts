import { createMiddleware } from "hono/factory";
import type { AppEnv } from "#worker/http/hono-env.ts";
import { getServices } from "#worker/services.ts";
import { readCredential } from "./credential.ts";

/** Runs before the session is read: rejects a credential that retries too early. */
export const rejectEarlyCalls = createMiddleware<AppEnv>(async (c, next) => {
  getServices(c.env).accountCalls.checkCredential(readCredential(c));
  await next();
});

/**
 * Delays the calls of an account to its allowed pace, before their bodies are read.
 *
 * @param callsMax Most calls per request. Further ones are rejected later and not counted, so that a
 *   manipulated link costs its reader little.
 */
export const paceCalls = (callsMax: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const session = c.get("session");
    const calls = Math.min(c.req.path.split(",").length, callsMax);
    if (session)
      await c.get("services").accountCalls.waitForStart(session.user.id, readCredential(c), calls);
    await next();
  });
