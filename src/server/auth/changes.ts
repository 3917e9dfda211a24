import { deletion, newPassword, passwordChange } from "../../shared/account.ts";
import { AppError } from "../../shared/errors.ts";
import type { Context } from "../context.ts";
import { closeBilling } from "../subscriptions/closing.ts";
import { recoveryProcedure, userProcedure } from "../trpc.ts";
import { deleteAccount, findAccount, replacePassword, resetPassword } from "./accounts.ts";
import { limitCall, sessionsOf, setCookie } from "./request.ts";

/** Each tab that buys in the middle of the deletion costs one more. */
const deletionAttempts = 3;

/** What changes an account that exists. */
export const changeProcedures = {
  /** Ends every session of the account, the recovery included. */
  setPassword: recoveryProcedure
    .input(newPassword)
    .mutation(async ({ ctx, input }): Promise<{ email: string }> => {
      const { id, user } = ctx.recovery;
      await limitCall(ctx, ctx.limits.credentials, user.email);
      const passwordHash = await ctx.hasher.hash(input.password);
      const now = ctx.clock.now();
      const done = await resetPassword(ctx.db, {
        recoveryId: id,
        userId: user.id,
        passwordHash,
        now,
      });
      if (!done) throw new AppError("token_invalid");
      setCookie(ctx, sessionsOf(ctx).blankRecoveryCookie());
      ctx.background(ctx.userEvents.sessionsEnded(user.id));
      ctx.logger.info("password_reset", { requestId: ctx.requestId, userId: user.id });
      return { email: user.email };
    }),

  /** Ends every other session of the account. */
  changePassword: userProcedure
    .input(passwordChange)
    .mutation(async ({ ctx, input }): Promise<void> => {
      const { id: userId, email } = ctx.user;
      await limitCall(ctx, ctx.limits.credentials, email);
      const account = await findAccount(ctx.db, { email });
      const before = account?.passwordHash;
      if (!before || !(await ctx.hasher.verify(before, input.currentPassword)))
        throw new AppError("current_password_invalid");
      const passwordHash = await ctx.hasher.hash(input.newPassword);
      const done = await replacePassword(ctx.db, {
        ...{ userId, before, passwordHash },
        ...{ sessionId: ctx.session.id, now: ctx.clock.now() },
      });
      if (!done) throw new AppError("current_password_invalid");
      ctx.background(ctx.userEvents.sessionsEnded(userId));
      ctx.logger.info("password_changed", { requestId: ctx.requestId, userId });
    }),

  /** Ends what the user pays for, then removes the user and everything that is theirs, for good. */
  deleteAccount: userProcedure.input(deletion).mutation(async ({ ctx }): Promise<void> => {
    await endAccount(ctx, ctx.user);
    setCookie(ctx, sessionsOf(ctx).blankCookie());
    setCookie(ctx, sessionsOf(ctx).blankRecoveryCookie());
    ctx.background(ctx.userEvents.sessionsEnded(ctx.user.id));
    ctx.logger.info("account_deleted", { requestId: ctx.requestId, userId: ctx.user.id });
  }),
};

/** In this order a failure leaves an account without a plan, never a charge without an account. */
async function endAccount(ctx: Context, user: { id: string; email: string }): Promise<void> {
  for (let attempt = 0; attempt < deletionAttempts; attempt += 1) {
    const customerId = await closeBilling(ctx, user);
    if (await deleteAccount(ctx.db, { userId: user.id, customerId })) return;
  }
  throw new AppError("conflict", { detail: "a customer was added again and again" });
}
