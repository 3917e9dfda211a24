import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { getSessionCookieName } from "#server/auth/sessions.ts";
import { hasPersonalToken } from "#server/programs/personal-tokens.ts";
import { AppError } from "#shared/errors.ts";
import { guestTicketHeader, guestTicketParam } from "#shared/site.ts";
import { getServices } from "#worker/services.ts";
import type { AppEnv } from "./identity.ts";

/** The request's credential, not verified; empty if there is none. */
function readCredential(c: Context<AppEnv>): string {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined && hasPersonalToken(authorization)) return authorization;
  const isSecure = getServices(c.env).env.appEnv !== "development";
  return (
    getCookie(c, getSessionCookieName(isSecure)) ??
    authorization ??
    c.req.header(guestTicketHeader) ??
    c.req.query(guestTicketParam) ??
    ""
  );
}

/** Runs before the session is read: rejects a credential that retries too early. */
export const rejectEarlyCalls = createMiddleware<AppEnv>(async (c, next) => {
  getServices(c.env).accountCalls.checkCredential(readCredential(c));
  await next();
});

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

/**
 * Delays the calls of an account to its allowed pace, before their bodies are read.
 *
 * @param callsMax Most calls per request. Further ones are rejected later and not counted, so that a
 *   manipulated link costs its reader little.
 */
export const paceCalls = (callsMax: number) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const key = getPaceKey(c);
    // tRPC decodes the path before it splits it.
    const calls = Math.min(c.req.path.split(/,|%2c/i).length, callsMax);
    if (key !== null)
      await c.get("services").accountCalls.waitForStart(key, readCredential(c), calls);
    await next();
  });

/** The account whose pace a call counts for; an account's programs have one of their own. */
function getPaceKey(c: Context<AppEnv>): string | null {
  const program = c.get("program");
  return program ? toProgramsKey(program.session.user.id) : (c.get("session")?.user.id ?? null);
}

export const toProgramsKey = (userId: string): string => `programs:${userId}`;

/** @throws AppError `payload_too_large` */
export const limitBody = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError() {
      throw new AppError("payload_too_large");
    },
  });
