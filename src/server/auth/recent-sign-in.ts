import { eq, sql } from "drizzle-orm";
import { refreshFamilies, sessions } from "#drizzle/schema.ts";
import type { Context, CurrentSession } from "#server/context.ts";
import { AppError } from "#shared/errors.ts";
import { findAccount } from "./accounts.ts";
import { limitAttempt } from "./request.ts";

/** How long after signing in what is sensitive may be done without the password. */
export const recentSignInMs = 10 * 60_000;

const startedAt = sql`coalesce(${refreshFamilies.createdAt}, ${sessions.createdAt})`;

/**
 * Lets a sensitive call go on if its session began in the last ten minutes, or if `password` is the
 * account's. A refresh of tokens is no new beginning.
 *
 * @throws AppError `reauthentication_required`, `current_password_invalid`, `rate_limited`
 */
export async function requireRecentSignIn(
  ctx: Context & { session: CurrentSession },
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) {
    await verifyCurrentPassword(ctx, password);
    return;
  }
  const [row] = await ctx.db
    .select({ beganAt: sql<string>`to_json(${startedAt}) #>> '{}'` })
    .from(sessions)
    .leftJoin(refreshFamilies, eq(refreshFamilies.id, sessions.familyId))
    .where(eq(sessions.id, ctx.session.id));
  const sinceMs = row ? ctx.clock.now().getTime() - new Date(row.beganAt).getTime() : null;
  if (sinceMs === null || sinceMs > recentSignInMs) throw new AppError("reauthentication_required");
}

/**
 * Verifies the password of whoever is signed in, and returns its hash. Counted for the user, not with
 * the sign-ins, which strangers make too.
 *
 * @throws AppError `current_password_invalid`, `rate_limited`
 */
export async function verifyCurrentPassword(
  ctx: Context & { session: CurrentSession },
  password: string,
): Promise<string> {
  const { id, email } = ctx.session.user;
  await limitAttempt(ctx, "password-change", `user:${id}`);
  const account = await findAccount(ctx.db, { email });
  if (!account || !(await ctx.hasher.verify(account.passwordHash, password)))
    throw new AppError("current_password_invalid");
  return account.passwordHash;
}
