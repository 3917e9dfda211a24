import { createMiddleware } from "hono/factory";
import type { AppEnv } from "#worker/app-env.ts";
import { servicesFor } from "#worker/services.ts";
import { credentialIn } from "./credential.ts";

/** Stands before the session is read: refuses who was told to come again later and did not wait. */
export const refuseEarly = createMiddleware<AppEnv>(async (c, next) => {
  servicesFor(c.env).accountCalls.checkCredential(credentialIn(c));
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
      await c.get("services").accountCalls.takeTurns(session.user.id, credentialIn(c), calls);
    await next();
  });
