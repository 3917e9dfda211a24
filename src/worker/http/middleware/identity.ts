import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { createSessions } from "#server/auth/sessions.ts";
import type { CurrentGuest, CurrentSession, CurrentToken } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import {
  findPersonalToken,
  hasPersonalToken,
  notePersonalTokenUse,
} from "#server/programs/personal-tokens.ts";
import { readGuestTicket } from "#server/recording/guest-ticket.ts";
import { AppError } from "#shared/errors.ts";
import { resourcePath } from "#shared/oauth.ts";
import { guestTicketHeader, guestTicketParam } from "#shared/site.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
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
    /** A program and its user's session; then nothing else says who calls. */
    program: {
      token: CurrentToken;
      session: CurrentSession;
      /** Of a token of OAuth: the origin whose pages may use it; null for a person's own token. */
      clientOrigin: string | null;
    } | null;
  };
}

/**
 * Sets the services and the caller: a program's token, a session (cookie or bearer) or a guest's ticket.
 *
 * @throws AppError `rate_limited` for an unproven secret of an address that has sent too many unknown ones
 */
export const identity = createMiddleware<AppEnv>(async (c, next) => {
  const services = getServices(c.env);
  const { db, clock, env, secretLookups } = services;
  c.set("services", services);
  c.set("guest", null);
  c.set("session", null);
  c.set("recovery", null);
  c.set("program", null);
  if (hasPersonalToken(c.req.header("authorization"))) {
    await setProgram(c);
    return next();
  }

  const sessions = createSessions(db, { secure: env.appEnv !== "development" });
  const address = getAddressKey(c.req.raw);
  const found = await sessions.find(
    {
      cookie: c.req.header("cookie") ?? null,
      authorization: c.req.header("authorization") ?? null,
    },
    (secret, query) => secretLookups.find("session", secret, address, query),
  );
  c.set("session", found.session);
  c.set("recovery", found.recovery);

  const ticket = c.req.header(guestTicketHeader) ?? c.req.query(guestTicketParam);
  if (ticket) c.set("guest", readGuestTicket(env.guestTicketSecret, ticket, clock.now()));

  await next();
  if (!found.cookie || c.res.status === 101) return;
  // A cookie set by signing in or out takes precedence.
  const [name] = found.cookie.split("=");
  const isSet = c.res.headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
  if (!isSet) c.res.headers.append("set-cookie", found.cookie);
});

/** @throws AppError `unauthenticated` for a token that is not valid, also where a call needs none. */
async function setProgram(c: Context<AppEnv>): Promise<void> {
  const { db, clock, logger, secretLookups } = c.get("services");
  const now = clock.now();
  const authorization = c.req.header("authorization") ?? "";
  const address = getAddressKey(c.req.raw);
  const found = await secretLookups.find("token", authorization, address, () =>
    findPersonalToken(db, { authorization, now }),
  );
  // A token of OAuth is for one resource (RFC 8707).
  const isElsewhere = found && found.clientOrigin !== null && c.req.path !== resourcePath;
  if (!found || isElsewhere) throw new AppError("unauthenticated");
  const { isUseDue, ...program } = found;
  c.set("program", program);
  if (isUseDue)
    c.executionCtx.waitUntil(
      notePersonalTokenUse(db, program.token.id, now).catch((error) =>
        logger.warn("token_use_not_noted", toLogFields(error)),
      ),
    );
}

/** For routes that no program may use. */
export const refusePrograms = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("program")) throw new AppError("sign_in_required");
  await next();
});
