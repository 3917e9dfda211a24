import * as z from "zod/mini";
import type { Context } from "#server/context.ts";
import type { RateLimiter } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { createSessions } from "./sessions.ts";

/** A secret from the caller. Its format is not checked: a malformed one is simply invalid. */
export const secretInput = z.string().check(z.maxLength(512));

export const getSessions = (ctx: Context) =>
  createSessions(ctx.db, { secure: ctx.settings.secureCookies });

export const setCookie = (ctx: Context, cookie: string) =>
  ctx.responseHeaders.append("set-cookie", cookie);

/** Each purpose has its own limit, so that strangers who guess for one do not block the owner's others. */
type AttemptPurpose =
  | "sign-in"
  | "known-device-sign-in"
  | "sign-up"
  | "password-change"
  | "password-reset";

/**
 * Counts one password attempt for `holder` (such as `user:<id>`) and one for the caller's network address.
 *
 * @throws AppError `rate_limited`
 */
export async function limitAttempt(
  ctx: Context,
  purpose: AttemptPurpose,
  holder: string | null,
): Promise<void> {
  const toKey = (key: string | null) => key && `${purpose}:${key}`;
  await countCalls(ctx.limits.credentials, [toKey(holder), toKey(ctx.addressKey)]);
}

/**
 * Counts one call for the account `email` (from anywhere) and one for the caller's network address (for all
 * accounts).
 *
 * @throws AppError `rate_limited`
 */
export async function limitCall(
  ctx: Context,
  limiter: RateLimiter,
  email: string | null,
): Promise<void> {
  await countCalls(limiter, [email && `account:${email}`, ctx.addressKey]);
}

async function countCalls(limiter: RateLimiter, keys: (string | null)[]): Promise<void> {
  const allowed = await Promise.all(keys.map((key) => key === null || limiter.allow(key)));
  if (allowed.includes(false)) throw new AppError("rate_limited", { retryAfterSeconds: 60 });
}
