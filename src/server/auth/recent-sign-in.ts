import { eq, sql } from "drizzle-orm";
import { refreshFamilies, sessions } from "#drizzle/schema.ts";
import type { Context, CurrentSession } from "#server/context.ts";
import { AppError } from "#shared/errors.ts";
import { findAccount } from "./accounts.ts";
import { limitAttempt } from "./request.ts";

/** How long after signing in sensitive actions need no password. */
export const recentSignInMs = 10 * 60_000;

const startedAt = sql`coalesce(${refreshFamilies.createdAt}, ${sessions.createdAt})`;

/**
 * Allows a sensitive call if the session started in the last ten minutes, or if `password` is correct.
 * Refreshing tokens does not count as a new start.
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
    .select({ startedAt: sql<string>`to_json(${startedAt}) #>> '{}'` })
    .from(sessions)
    .leftJoin(refreshFamilies, eq(refreshFamilies.id, sessions.familyId))
    .where(eq(sessions.id, ctx.session.id));
  const sinceMs = row ? ctx.clock.now().getTime() - new Date(row.startedAt).getTime() : null;
  if (sinceMs === null || sinceMs > recentSignInMs) throw new AppError("reauthentication_required");
}

/**
 * Verifies the signed-in user's password and returns its hash. Attempts count separately from sign-ins, which
 * strangers can make too.
 *
 * @throws AppError `current_password_invalid`, `rate_limited`
 */
export async function verifyCurrentPassword(
  ctx: Context & { session: CurrentSession },
  password: string,
): Promise<string> {
  const { id, email } = ctx.session.user;
  await limitAttempt(ctx, "password-change", `user:${id}`);
  const account = await findAccount(ctx.db, email);
  if (!account || !(await ctx.hasher.verify(account.passwordHash, password)))
    throw new AppError("current_password_invalid");
  return account.passwordHash;
}
