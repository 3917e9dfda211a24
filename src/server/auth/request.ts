import * as z from "zod/mini";
import type { Context } from "#server/context.ts";
import type { RateLimiter } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { createSessions, type Sessions } from "./sessions.ts";

/** A secret from the caller. Its format is not checked: a malformed one is simply invalid. */
export const secretInput = z.string().check(z.maxLength(512));

export const getSessions = (ctx: Context): Sessions =>
  createSessions(ctx.db, { secure: ctx.settings.secureCookies });

export const setCookie = (ctx: Context, cookie: string) =>
  ctx.responseHeaders.append("set-cookie", cookie);

/**
 * Purpose of a password attempt. Each purpose has its own limit, so that strangers who guess for one do not
 * block the owner's others.
 */
type AttemptPurpose =
  | "sign-in"
  | "known-device-sign-in"
  | "sign-up"
  | "password-change"
  | "password-reset";

/**
 * Counts one attempt at a password for `holder` (such as `user:<id>`, or null)
 * and one for the caller's network address.
 *
 * @throws AppError `rate_limited`
 */
export async function limitAttempt(
  ctx: Context,
  purpose: AttemptPurpose,
  holder: string | null,
): Promise<void> {
  const keys = [holder, ctx.addressKey].flatMap((key) => (key ? [`${purpose}:${key}`] : []));
  await countCalls(ctx.limits.credentials, keys);
}

/**
 * Counts one call for the account at `email` (from anywhere) and one for the caller's network address
 * (over all accounts).
 *
 * @throws AppError `rate_limited`
 */
export async function limitCall(
  ctx: Context,
  limiter: RateLimiter,
  email: string | null,
): Promise<void> {
  const keys = [
    ...(email ? [`account:${email}`] : []),
    ...(ctx.addressKey ? [ctx.addressKey] : []),
  ];
  await countCalls(limiter, keys);
}

async function countCalls(limiter: RateLimiter, keys: string[]): Promise<void> {
  const allowed = await Promise.all(keys.map((key) => limiter.allow(key)));
  if (allowed.includes(false)) throw new AppError("rate_limited", { retryAfterSeconds: 60 });
}
