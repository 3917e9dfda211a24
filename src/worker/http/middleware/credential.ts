import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { getSessionCookieName } from "#server/auth/sessions.ts";
import { guestTicketHeader, guestTicketParam } from "#shared/site.ts";
import type { AppEnv } from "#worker/http/hono-env.ts";
import { getServices } from "#worker/services.ts";

/** The request's credential, not verified; empty if there is none. */
export function readCredential(c: Context<AppEnv>): string {
  const isSecure = getServices(c.env).env.appEnv === "production";
  return (
    getCookie(c, getSessionCookieName(isSecure)) ??
    c.req.header("authorization") ??
    c.req.header(guestTicketHeader) ??
    c.req.query(guestTicketParam) ??
    ""
  );
}
