import * as z from "zod/mini";
import { listAddressUses } from "#server/address-daily-limits.ts";
import { challengeInput, requireChallenge, verifyChallenge } from "#server/challenge.ts";
import type { Context } from "#server/context.ts";
import { spendBudgets } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import { publicProcedure, userProcedure } from "#server/trpc.ts";
import { forgotPasswordInput, type SessionUser, type Tokens } from "#shared/account.ts";
import { sendLink } from "./account-emails.ts";
import { findAccount, normalizeEmail } from "./accounts.ts";
import { confirmEmail, spendRecovery } from "./one-time-tokens.ts";
import { getSessions, limitCall, secretInput, setCookie } from "./request.ts";
import { findRecoverySession, startFamily } from "./token-pairs.ts";

const verificationInput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("signup"), tokenHash: secretInput }),
  z.object({
    type: z.literal("recovery"),
    tokenHash: secretInput,
    tokens: z.optional(z.literal(true)),
  }),
]);

export interface EmailConfirmation {
  type: "signup";
  user: SessionUser;
  /** Whether this browser is signed in as `user` now. */
  signedIn: boolean;
}

/** A new password may be set until `expiresAt` (ISO 8601). */
export interface Recovery {
  email: string;
  expiresAt: string;
}

export type LinkVerification =
  | EmailConfirmation
  | ({ type: "recovery"; tokens?: Tokens } & Recovery);

async function confirmByLink(ctx: Context, token: string): Promise<EmailConfirmation> {
  const { id, email, isFirst } = await confirmEmail(ctx.db, { token, now: ctx.clock.now() });
  const user = { id, email, emailVerified: true };
  // A link must not replace an existing session: an attacker could have sent it.
  if (ctx.session) return { type: "signup", user, signedIn: ctx.session.user.id === id };
  // Only the first confirmation signs in; an old link must not.
  if (!isFirst) return { type: "signup", user, signedIn: false };
  setCookie(ctx, await getSessions(ctx).start(id));
  return { type: "signup", user, signedIn: true };
}

async function recoverByLink(
  ctx: Context,
  token: string,
  asTokens: boolean,
): Promise<LinkVerification> {
  const now = ctx.clock.now();
  const { id, email } = await spendRecovery(ctx.db, { token, now });
  if (asTokens) {
    const tokens = await startFamily(ctx.db, { userId: id, scope: "recovery", now });
    return { type: "recovery", email, expiresAt: tokens.expiresAt, tokens };
  }
  const { cookie, expiresAt } = await getSessions(ctx).startRecovery(id, now);
  setCookie(ctx, cookie);
  return { type: "recovery", email, expiresAt: expiresAt.toISOString() };
}

async function trySendRecoveryLink(ctx: Context, email: string): Promise<void> {
  try {
    const account = await findAccount(ctx.db, email);
    if (account) await sendLink(ctx, account.user, "recovery");
  } catch (error) {
    ctx.logger.warn("recovery_not_sent", { ...toLogFields(error), requestId: ctx.requestId });
  }
}

/** Procedures behind the links in mails, and those that request links. */
export const linkProcedures = {
  verify: publicProcedure
    .input(verificationInput)
    .mutation(async ({ ctx, input }): Promise<LinkVerification> => {
      await limitCall(ctx, ctx.limits.links, null);
      return input.type === "signup"
        ? confirmByLink(ctx, input.tokenHash)
        : recoverByLink(ctx, input.tokenHash, input.tokens === true);
    }),

  /** Starts a recovery with the token pair from a URL's hash. */
  setSession: publicProcedure
    .input(z.object({ accessToken: secretInput, refreshToken: secretInput }))
    .mutation(async ({ ctx, input }): Promise<Recovery> => {
      await limitCall(ctx, ctx.limits.links, null);
      const now = ctx.clock.now();
      const { email, expiresAt } = await findRecoverySession(ctx.db, { ...input, now });
      setCookie(ctx, getSessions(ctx).recoveryCookie(input.accessToken, expiresAt));
      return { email, expiresAt: expiresAt.toISOString() };
    }),

  /**
   * Sends a recovery link if there is an account. Everything that depends on the account happens after the
   * response, so that neither its content nor its timing reveals it. Each call counts against the caller's
   * budget; the account's and the site's budgets are checked after the response.
   */
  forgotPassword: publicProcedure
    .input(z.extend(forgotPasswordInput, { challenge: challengeInput }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      requireChallenge(ctx, input.challenge);
      const email = normalizeEmail(input.email);
      await limitCall(ctx, ctx.limits.mails, email);
      await verifyChallenge(ctx, "forgot_password", input.challenge);
      await spendBudgets(ctx, listAddressUses(ctx, "mails"));
      ctx.runInBackground(trySendRecoveryLink(ctx, email));
    }),

  resendConfirmation: userProcedure.mutation(async ({ ctx }) => {
    if (ctx.user.emailVerified) return { emailVerified: true, mailSent: false };
    await limitCall(ctx, ctx.limits.mails, ctx.user.email);
    const callerUses = listAddressUses(ctx, "mails");
    const mailSent = await sendLink(ctx, ctx.user, "signup", callerUses);
    return { emailVerified: false, mailSent };
  }),
};
