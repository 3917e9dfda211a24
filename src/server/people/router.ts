import * as z from "zod/mini";
import { normalizeEmail } from "#server/auth/accounts.ts";
import { sha256 } from "#server/auth/secrets.ts";
import type { Context } from "#server/context.ts";
import { type BudgetUse, spendBudgets } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import { composeMail } from "#server/mail/layout.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { inviteInput, type LectureMember, removeInput } from "#shared/people.ts";
import { reportEndedAccess } from "./ended-access.ts";
import {
  changeMember,
  leaveLecture,
  listMembers,
  listSharedLectures,
  putMember,
  removeMembers,
} from "./queries.ts";

type Caller = Context & { user: SessionUser };

/** Mails that a person may have sent in a day (UTC), and that one address may get. */
const mailsPerDay = 50;
const mailsPerAddress = 5;

const ofLecture = z.object({ lectureId: uuid });

export const peopleRouter = router({
  /** People with whom the caller's lecture is shared by name; none for another user's. */
  list: userProcedure
    .input(ofLecture)
    .query(
      ({ ctx, input }): Promise<LectureMember[]> =>
        listMembers(ctx.db, { ...input, ...ctx.caller }),
    ),

  /**
   * Shares the caller's lecture with the person of an address, who gets a mail. The answer is the same whether there is such
   * an account. `mailSent` false: they find the lecture, and are not told.
   */
  invite: writeProcedure
    .input(inviteInput)
    .mutation(async ({ ctx, input: { lectureId, role, ...input } }) => {
      const email = normalizeEmail(input.email);
      if (!ctx.user.emailVerified || email === ctx.user.email)
        throw new AppError("validation_failed", { detail: "not confirmed, or the caller" });
      const { userId, now } = ctx.caller;
      const uses: BudgetUse[] = [
        { key: `invitations:user:${userId}`, amount: 1, limit: mailsPerDay },
        { key: `invitations:to:${sha256(email)}`, amount: 1, limit: mailsPerAddress },
        { key: "mails:site", amount: 1, limit: ctx.settings.dailyLimits.mails },
      ];
      await putMember(ctx.db, { userId, lectureId, email, role, now });
      ctx.logger.info("lecture_shared", { userId, role });
      return { mailSent: await trySendMail(ctx, { lectureId, email, uses }) };
    }),

  /** Gives a person whom the caller has invited another role. */
  change: writeProcedure.input(inviteInput).mutation(({ ctx, input }): Promise<void> => {
    const email = normalizeEmail(input.email);
    return changeMember(ctx.db, { ...input, ...ctx.caller, email });
  }),

  /** Ends a person's access, or everybody's, at once. Repeating it changes nothing. */
  remove: writeProcedure.input(removeInput).mutation(async ({ ctx, input }): Promise<void> => {
    const email = input.email && normalizeEmail(input.email);
    reportEndedAccess(ctx, await removeMembers(ctx.db, { ...input, ...ctx.caller, email }));
  }),

  /** Lectures that others share with the caller by name, newest first. */
  shared: userProcedure.query(({ ctx }) => listSharedLectures(ctx.db, ctx.user.id)),

  /** Ends the caller's access to another person's lecture. */
  leave: writeProcedure.input(ofLecture).mutation(async ({ ctx, input }): Promise<void> => {
    await leaveLecture(ctx.db, { ...input, ...ctx.caller });
    reportEndedAccess(ctx, [{ ...input, memberId: ctx.user.id }]);
  }),
});

/** False: the mail could not be sent, or too many were. */
async function trySendMail(
  ctx: Caller,
  { lectureId, email, uses }: { lectureId: string; email: string; uses: readonly BudgetUse[] },
): Promise<boolean> {
  try {
    await spendBudgets(ctx, uses);
    const { href } = new URL(`/shared?lecture=${lectureId}`, ctx.settings.origin);
    const content = composeMail("lecture_shared", { email, link: href, from: ctx.user.email });
    const idempotencyKey = `lecture_shared/${crypto.randomUUID()}`;
    await ctx.mailer.send({ to: email, ...content, idempotencyKey });
    return true;
  } catch (error) {
    const { requestId } = ctx;
    ctx.logger.warn("invitation_not_sent", { ...toLogFields(error), requestId });
    return false;
  }
}
