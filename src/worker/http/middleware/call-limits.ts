import { createMiddleware } from "hono/factory";
import type { AppEnv } from "#worker/app-env.ts";
import { getServices } from "#worker/services.ts";
import { readCredential } from "./credential.ts";

/** Stands before the session is read: refuses who was told to come again later and did not wait. */
export const rejectEarlyCalls = createMiddleware<AppEnv>(async (c, next) => {
  getServices(c.env).accountCalls.checkCredential(readCredential(c));
  await next();
});

/**
 * Lets the calls of an account begin at its pace. Their bodies are not read yet.
 *
 * @param callsMax How many calls one request may have. More are refused later, and not counted: a link
 *   that somebody else made must not cost its reader much.
 */
export const paceCalls = (callsMax: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const session = c.get("session");
    const calls = Math.min(c.req.path.split(",").length, callsMax);
    if (session)
      await c.get("services").accountCalls.waitForStart(session.user.id, readCredential(c), calls);
    await next();
  });
