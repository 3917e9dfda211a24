import * as z from "zod/mini";
import { listAddressUses } from "#server/address-daily-limits.ts";
import { challengeInput, requireChallenge, verifyChallenge } from "#server/challenge.ts";
import type { Context } from "#server/context.ts";
import { spendBudgets, withBudgets } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import { publicProcedure } from "#server/trpc.ts";
import { type Credentials, credentials, type SessionUser, type Tokens } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { sendLink } from "./account-emails.ts";
import { createAccount, findAccount, normalizeEmail, upgradePasswordHash } from "./accounts.ts";
import { signUpInput } from "./common-passwords.ts";
import { announceEndedSessions } from "./ended-sessions.ts";
import { findKnownDevice, rememberDevice } from "./known-devices.ts";
import { getSessions, limitAttempt, limitCall, secretInput, setCookie } from "./request.ts";
import { dummyPasswordHash } from "./secrets.ts";
import { checkSignUp } from "./sign-up-rules.ts";
import { rotateRefreshToken, startFamily } from "./token-pairs.ts";

/**
 * Verifies credentials; returns the user and the hash that the password matched.
 *
 * @throws AppError `credentials_invalid`, `rate_limited`
 */
async function authenticate(
  ctx: Context,
  input: Credentials,
): Promise<{ user: SessionUser; passwordHash: string }> {
  const email = normalizeEmail(input.email);
  const account = await findAccount(ctx.db, email);
  // Known devices have their own limit, so that strangers cannot use up the owner's attempts.
  const deviceId = findKnownDevice(ctx, account);
  if (deviceId) await limitAttempt(ctx, "known-device-sign-in", `device:${deviceId}`);
  else await limitAttempt(ctx, "sign-in", `account:${email}`);
  // For an unknown address a dummy hash is verified, so that the response time is the same.
  const phc = account?.passwordHash ?? dummyPasswordHash;
  const isCorrect = await ctx.hasher.verify(phc, input.password);
  if (!account || !isCorrect) throw new AppError("credentials_invalid");
  if (!ctx.hasher.needsUpgrade(phc)) return account;
  const { user } = account;
  const passwordHash = await ctx.hasher.hash(input.password);
  await upgradePasswordHash(ctx.db, { userId: user.id, from: phc, to: passwordHash });
  return { user, passwordHash };
}

/** Sends the confirmation mail after signing up. A failure does not undo the sign-up. */
async function trySendConfirmation(ctx: Context, user: SessionUser): Promise<boolean> {
  try {
    return await sendLink(ctx, user, "signup", listAddressUses(ctx, "mails"));
  } catch (error) {
    const fields = { ...toLogFields(error), requestId: ctx.requestId, userId: user.id };
    ctx.logger.error("confirmation_failed", fields);
    return false;
  }
}

/** Signs `userId` in and ends the request's previous session. */
async function startSession(ctx: Context, userId: string, passwordHash?: string): Promise<void> {
  const sessions = getSessions(ctx);
  // Its cookie is overwritten, so it could never be signed out later.
  if (ctx.session) {
    await sessions.end(ctx.session.id);
    ctx.runInBackground(announceEndedSessions(ctx, ctx.session.user.id));
  }
  setCookie(ctx, await sessions.start(userId, passwordHash));
}

export const signInProcedures = {
  signUp: publicProcedure
    .input(
      z.safeExtend(signUpInput, { challenge: challengeInput, invitation: z.optional(secretInput) }),
    )
    .mutation(async ({ ctx, input }): Promise<{ user: SessionUser; mailSent: boolean }> => {
      requireChallenge(ctx, input.challenge);
      const email = normalizeEmail(input.email);
      await limitAttempt(ctx, "sign-up", `account:${email}`);
      await verifyChallenge(ctx, "sign_up", input.challenge);
      const { isConfirmed } = await checkSignUp(ctx, { email, invitation: input.invitation });
      const callerUses = listAddressUses(ctx, "accounts");
      if (await findAccount(ctx.db, email)) {
        // The error reveals an account, so it uses the caller's budget like a sign-up.
        await spendBudgets(ctx, callerUses);
        throw new AppError("email_in_use");
      }
      const user = { id: crypto.randomUUID(), email, emailVerified: isConfirmed };
      const siteUse = { key: "accounts:site", amount: 1, limit: ctx.settings.dailyLimits.accounts };
      const passwordHash = await withBudgets(ctx, [...callerUses, siteUse], async () => {
        const hash = await ctx.hasher.hash(input.password);
        const account = { id: user.id, email, passwordHash: hash, isConfirmed };
        await createAccount(ctx.db, { ...account, now: ctx.clock.now() });
        return hash;
      });
      await startSession(ctx, user.id);
      rememberDevice(ctx, { user, passwordHash });
      ctx.logger.info("account_created", { requestId: ctx.requestId, userId: user.id });
      return { user, mailSent: !isConfirmed && (await trySendConfirmation(ctx, user)) };
    }),

  signIn: publicProcedure
    .input(credentials)
    .mutation(async ({ ctx, input }): Promise<{ user: SessionUser }> => {
      const { user, passwordHash } = await authenticate(ctx, input);
      await startSession(ctx, user.id, passwordHash);
      rememberDevice(ctx, { user, passwordHash });
      return { user };
    }),

  /** Sign-in for clients without cookies. */
  tokens: publicProcedure
    .input(credentials)
    .mutation(async ({ ctx, input }): Promise<{ user: SessionUser } & Tokens> => {
      const { user, passwordHash } = await authenticate(ctx, input);
      const family = { userId: user.id, scope: "full" as const, passwordHash };
      return { user, ...(await startFamily(ctx.db, { ...family, now: ctx.clock.now() })) };
    }),

  refresh: publicProcedure
    .input(z.object({ refreshToken: secretInput }))
    .mutation(async ({ ctx, input }): Promise<Tokens> => {
      await limitCall(ctx, ctx.limits.links, null);
      return rotateRefreshToken(ctx.db, {
        refreshToken: input.refreshToken,
        address: ctx.addressKey,
        now: ctx.clock.now(),
        onReuse: (userId) => {
          ctx.logger.warn("refresh_token_reused", { requestId: ctx.requestId, userId });
          ctx.runInBackground(announceEndedSessions(ctx, userId));
        },
      });
    }),

  /** Succeeds also when nobody is signed in. */
  signOut: publicProcedure.mutation(async ({ ctx }): Promise<void> => {
    const sessions = getSessions(ctx);
    setCookie(ctx, sessions.blankCookie());
    setCookie(ctx, sessions.blankRecoveryCookie());
    if (ctx.recovery) await sessions.end(ctx.recovery.id);
    if (!ctx.session) return;
    await sessions.end(ctx.session.id);
    ctx.runInBackground(announceEndedSessions(ctx, ctx.session.user.id));
  }),

  session: publicProcedure.query(({ ctx }): { user: SessionUser | null } => ({
    user: ctx.session?.user ?? null,
  })),
};
