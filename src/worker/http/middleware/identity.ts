import { createMiddleware } from "hono/factory";
import { createSessions } from "#server/auth/sessions.ts";
import type { CurrentGuest, CurrentSession } from "#server/context.ts";
import { readGuestTicket } from "#server/recording/guest-ticket.ts";
import { guestTicketHeader, guestTicketParam } from "#shared/site.ts";
import { getServices, type WorkerServices } from "#worker/services.ts";

/** Hono environment: what the middleware sets for every request to `/api` and `/trpc`. */
export interface AppEnv {
  Bindings: Cloudflare.Env;
  Variables: {
    requestId: string;
    services: WorkerServices;
    session: CurrentSession | null;
    recovery: CurrentSession | null;
    guest: CurrentGuest | null;
  };
}

/** Sets the services and the caller: a session (cookie or bearer) or a guest's ticket. */
export const identity = createMiddleware<AppEnv>(async (c, next) => {
  const services = getServices(c.env);
  const { db, clock, env } = services;
  c.set("services", services);
  c.set("guest", null);

  const sessions = createSessions(db, { secure: env.appEnv === "production" });
  const found = await sessions.find({
    cookie: c.req.header("cookie") ?? null,
    authorization: c.req.header("authorization") ?? null,
  });
  c.set("session", found.session);
  c.set("recovery", found.recovery);

  const ticket = c.req.header(guestTicketHeader) ?? c.req.query(guestTicketParam);
  if (ticket) {
    const grant = readGuestTicket(env.guestTicketSecret, ticket, clock.now());
    if (grant) c.set("guest", { recordingId: grant.recordingId });
  }

  await next();
  if (!found.cookie || c.res.status === 101) return;
  // A cookie set by signing in or out takes precedence.
  const [name] = found.cookie.split("=");
  const isSet = c.res.headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
  if (!isSet) c.res.headers.append("set-cookie", found.cookie);
});
