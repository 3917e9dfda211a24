import type { Context } from "#server/context.ts";
import { spendDailyBudget } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import type { MailContent } from "#server/mail/layout.ts";
import {
  accountDeletedMail,
  passwordChangedMail,
  passwordResetMail,
} from "#server/mail/templates.ts";

type Notice = "password_changed" | "password_reset" | "account_deleted";

/** Most notices for one account in a day. */
const noticesPerDay = 10;

const mails: Record<
  Notice,
  { compose: (values: { email: string; link: string }) => MailContent; path: string }
> = {
  password_changed: { compose: passwordChangedMail, path: "/auth" },
  password_reset: { compose: passwordResetMail, path: "/auth" },
  account_deleted: { compose: accountDeletedMail, path: "/" },
};

/**
 * Sends the account's owner a security notice after the response. Unconfirmed addresses get none, because they
 * may belong to a stranger. Failures are logged.
 */
export function sendNotice(
  ctx: Context,
  user: { id: string; email: string; emailVerified: boolean },
  notice: Notice,
): void {
  if (user.emailVerified) ctx.runInBackground(trySend(ctx, user, notice));
}

interface Addressee {
  id: string;
  email: string;
}

async function trySend(ctx: Context, user: Addressee, notice: Notice): Promise<void> {
  const fields = { requestId: ctx.requestId, userId: user.id, type: notice };
  try {
    if (!(await send(ctx, user, notice))) ctx.logger.warn("notice_not_sent", fields);
  } catch (error) {
    ctx.logger.error("mail_failed", { ...toLogFields(error), ...fields });
  }
}

/** False when the account's daily limit is reached. */
async function send(ctx: Context, { id, email }: Addressee, notice: Notice): Promise<boolean> {
  const use = { key: `notice:user:${id}`, amount: 1, limit: noticesPerDay };
  const exceeded = await spendDailyBudget(ctx.db, [use], ctx.clock.now());
  if (exceeded.length > 0) return false;
  const { compose, path } = mails[notice];
  await ctx.mailer.send({
    to: email,
    ...compose({ email, link: new URL(path, ctx.settings.origin).href }),
    idempotencyKey: `${notice}/${crypto.randomUUID()}`,
  });
  return true;
}
