import type { Context } from "#server/context.ts";
import { reportEndedAccess } from "#server/people/ended-access.ts";
import { listReadersOfUser } from "#server/people/queries.ts";
import { findOpenRecordings } from "#server/recording/usage-ledger.ts";
import { listActiveShares } from "#server/sharing/queries.ts";
import { closeBilling } from "#server/subscriptions/customers.ts";
import { recoveryProcedure, userProcedure } from "#server/trpc.ts";
import { deleteAccountInput } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { sendNotice } from "./account-emails.ts";
import { deleteAccount, replacePassword, resetPassword } from "./accounts.ts";
import { newPasswordInput, passwordChangeInput } from "./common-passwords.ts";
import { announceEndedSessions } from "./ended-sessions.ts";
import { rememberDevice } from "./known-devices.ts";
import { requireRecentSignIn, verifyCurrentPassword } from "./recent-sign-in.ts";
import { getSessions, limitAttempt, setCookie } from "./request.ts";

/** A customer created by another tab during the deletion needs one more attempt. */
const deletionAttempts = 3;

export const changeProcedures = {
  /** Ends every session of the account, the recovery included. */
  setPassword: recoveryProcedure.input(newPasswordInput).mutation(async ({ ctx, input }) => {
    const { id, user } = ctx.recovery;
    // Counted by address only: guesses by strangers must not block the owner, who has the link.
    await limitAttempt(ctx, "password-reset", null);
    const passwordHash = await ctx.hasher.hash(input.password);
    const isReset = await resetPassword(ctx.db, {
      recoveryId: id,
      userId: user.id,
      passwordHash,
      now: ctx.clock.now(),
    });
    if (!isReset) throw new AppError("token_invalid");
    setCookie(ctx, getSessions(ctx).blankRecoveryCookie());
    rememberDevice(ctx, { user, passwordHash });
    ctx.runInBackground(announceEndedSessions(ctx, user.id));
    // The link was sent there, so the address is confirmed now.
    sendNotice(ctx, { ...user, emailVerified: true }, "password_reset");
    ctx.logger.info("password_reset", { requestId: ctx.requestId, userId: user.id });
    return { email: user.email };
  }),

  /** Ends every other session of the account. */
  changePassword: userProcedure.input(passwordChangeInput).mutation(async ({ ctx, input }) => {
    const userId = ctx.user.id;
    const before = await verifyCurrentPassword(ctx, input.currentPassword);
    const passwordHash = await ctx.hasher.hash(input.newPassword);
    const isReplaced = await replacePassword(ctx.db, {
      userId,
      before,
      passwordHash,
      keptId: ctx.session.id,
      now: ctx.clock.now(),
    });
    if (!isReplaced) throw new AppError("current_password_invalid");
    rememberDevice(ctx, { user: ctx.user, passwordHash });
    ctx.runInBackground(announceEndedSessions(ctx, userId));
    sendNotice(ctx, ctx.user, "password_changed");
    ctx.logger.info("password_changed", { requestId: ctx.requestId, userId });
  }),

  /**
   * Requires a recent sign-in. Cancels the user's subscriptions, then permanently deletes the user and all
   * their data.
   */
  deleteAccount: userProcedure.input(deleteAccountInput).mutation(async ({ ctx, input }) => {
    await requireRecentSignIn(ctx, input.password);
    const recordingIds = await findOpenRecordings(ctx.db, ctx.user.id);
    const shareIds = await listActiveShares(ctx.db, ctx.user.id);
    const readers = await listReadersOfUser(ctx.db, ctx.user.id);
    await endAccount(ctx, ctx.user);
    setCookie(ctx, getSessions(ctx).blankCookie());
    setCookie(ctx, getSessions(ctx).blankRecoveryCookie());
    ctx.runInBackground(announceEndedSessions(ctx, ctx.user.id, recordingIds));
    ctx.runInBackground(ctx.shareRooms.end(shareIds));
    reportEndedAccess(ctx, readers);
    sendNotice(ctx, ctx.user, "account_deleted");
    ctx.logger.info("account_deleted", { requestId: ctx.requestId, userId: ctx.user.id });
  }),
};

/** Billing ends first: a failure may leave an account without a plan, never a charge without an account. */
async function endAccount(ctx: Context, user: { id: string; email: string }): Promise<void> {
  for (let attempt = 0; attempt < deletionAttempts; attempt += 1) {
    const customerId = await closeBilling(ctx, user);
    if (await deleteAccount(ctx.db, { userId: user.id, customerId })) return;
  }
  throw new AppError("conflict", { detail: "a customer was added again and again" });
}
