import { withBudgets } from "#server/caller-budget.ts";
import type { Context } from "#server/context.ts";
import type { BudgetUse } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import type { MailContent } from "#server/mail/layout.ts";
import { confirmationMail, recoveryMail } from "#server/mail/templates.ts";
import { issueToken, type OneTimeTokenType } from "./one-time-tokens.ts";
import { sha256 } from "./secrets.ts";

interface Addressee {
  id: string;
  email: string;
}

const paths: Record<OneTimeTokenType, string> = {
  signup: "/email-confirmation",
  recovery: "/reset-password",
};
const mails: Record<OneTimeTokenType, (words: { email: string; link: string }) => MailContent> = {
  signup: confirmationMail,
  recovery: recoveryMail,
};

/** Links that one account is sent in a day (UTC), whoever asks for them. */
const linksPerDay = 20;

/**
 * Sends `user` a fresh link of `type`. False, after a line in the log, when the mail could not be
 * sent.
 *
 * @param callerUses what the mail costs the caller, beside the account and the site.
 * @throws AppError `rate_limited` when the account was sent too many in the last hour,
 *   `daily_limit_reached` when nobody is sent more today.
 */
export async function sendLink(
  ctx: Context,
  user: Addressee,
  type: OneTimeTokenType,
  callerUses: readonly BudgetUse[] = [],
): Promise<boolean> {
  const uses = [
    ...callerUses,
    { key: `mails:user:${user.id}`, amount: 1, limit: linksPerDay },
    { key: "mails:site", amount: 1, limit: ctx.settings.dailyLimits.mails },
  ];
  const token = await withBudgets(ctx, uses, () =>
    issueToken(ctx.db, { userId: user.id, type, now: ctx.clock.now() }),
  );
  const link = new URL(paths[type], ctx.settings.origin);
  link.searchParams.set("token_hash", token);
  link.searchParams.set("type", type);
  const content = mails[type]({ email: user.email, link: link.href });
  try {
    const idempotencyKey = `${type}/${await sha256(token)}`;
    await ctx.mailer.send({ to: user.email, ...content, idempotencyKey });
    return true;
  } catch (error) {
    ctx.logger.error("mail_failed", {
      ...toLogFields(error),
      requestId: ctx.requestId,
      userId: user.id,
      type,
    });
    return false;
  }
}
