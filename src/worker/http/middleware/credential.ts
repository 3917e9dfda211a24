import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { sessionCookieName } from "#server/auth/sessions.ts";
import { guestTicketHeader, guestTicketParam } from "#shared/site.ts";
import type { AppEnv } from "#worker/app-env.ts";
import { servicesFor } from "#worker/services.ts";

/** What the caller shows to say who they are, unchecked; empty where they show nothing. */
export function credentialIn(c: Context<AppEnv>): string {
  const isSecure = servicesFor(c.env).env.appEnv === "production";
  return (
    getCookie(c, sessionCookieName(isSecure)) ??
    c.req.header("authorization") ??
    c.req.header(guestTicketHeader) ??
    c.req.query(guestTicketParam) ??
    ""
  );
}
