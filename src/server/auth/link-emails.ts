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
const mails: Record<OneTimeTokenType, (values: { email: string; link: string }) => MailContent> = {
  signup: confirmationMail,
  recovery: recoveryMail,
};

/** Most links for one account in a day (UTC), whoever requests them. */
const linksPerDay = 20;

/**
 * Sends `user` a new link of `type`. Logs and returns false if the mail could not be sent.
 *
 * @param callerUses budget uses of the caller, in addition to the account's and the site's.
 * @throws AppError `rate_limited` when the account got too many links in the last hour,
 *   `daily_limit_reached` when a daily budget is used up.
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
