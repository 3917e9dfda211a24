import type { Context } from "#server/context.ts";
import { type BudgetUse, spendDailyBudget, withBudgets } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import { composeMail, type MailType } from "#server/mail/layout.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { createInvitationLink } from "./invitations.ts";
import { issueToken, type OneTimeTokenType } from "./one-time-tokens.ts";
import { sha256 } from "./secrets.ts";

/** The page that a mail's link opens. */
const paths: Record<MailType, string> = {
  signup: "/email-confirmation",
  recovery: "/reset-password",
  password_changed: "/auth",
  password_reset: "/auth",
  account_deleted: "/",
  invitation: "/auth",
  lecture_shared: "/shared",
};

/** Most links for one account in a day (UTC), whoever requests them. */
const linksPerDay = 20;
/** Most security notices for one account in a day (UTC). */
const noticesPerDay = 10;

type Addressee = Pick<SessionUser, "id" | "email">;

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
  const query = `?${new URLSearchParams({ token_hash: token, type })}`;
  try {
    await send(ctx, user, { type, query, key: sha256(token) });
    return true;
  } catch (error) {
    logFailure(ctx, user, type, error);
    return false;
  }
}

/**
 * Sends the account's owner a security notice after the response. Unconfirmed addresses get none, because they
 * may belong to a stranger. Failures are logged.
 */
export function sendNotice(
  ctx: Context,
  user: SessionUser,
  type: Exclude<MailType, OneTimeTokenType | "invitation" | "lecture_shared">,
): void {
  const trySend = async () => {
    const use = { key: `notice:user:${user.id}`, amount: 1, limit: noticesPerDay };
    const exceeded = await spendDailyBudget(ctx.db, [use], ctx.clock.now());
    if (exceeded.length === 0) await send(ctx, user, { type, key: crypto.randomUUID() });
    else ctx.logger.warn("notice_not_sent", toMailFields(ctx, user, type));
  };
  if (user.emailVerified)
    ctx.runInBackground(trySend().catch((error) => logFailure(ctx, user, type, error)));
}

/**
 * Sends the owner of `email` the link with which they can create an account.
 *
 * @throws AppError `unavailable`
 */
export async function sendInvitation(ctx: Context, email: string): Promise<void> {
  const { guestTicketSecret: secret, origin } = ctx.settings;
  const link = createInvitationLink({ secret, origin, now: ctx.clock.now() }, email);
  const content = composeMail("invitation", { email, link });
  try {
    const idempotencyKey = `invitation/${crypto.randomUUID()}`;
    await ctx.mailer.send({ to: email, ...content, idempotencyKey });
  } catch (cause) {
    const { requestId } = ctx;
    ctx.logger.error("mail_failed", { ...toLogFields(cause), requestId, type: "invitation" });
    throw new AppError("unavailable", { cause });
  }
}

async function send(
  { mailer, settings }: Context,
  { email }: Addressee,
  { type, query = "", key }: { type: MailType; query?: string; key: string },
): Promise<void> {
  const link = new URL(paths[type] + query, settings.origin).href;
  const content = composeMail(type, { email, link });
  await mailer.send({ to: email, ...content, idempotencyKey: `${type}/${key}` });
}

const toMailFields = ({ requestId }: Context, { id: userId }: Addressee, type: MailType) => {
  return { requestId, userId, type };
};

const logFailure = (ctx: Context, user: Addressee, type: MailType, error: unknown) =>
  ctx.logger.error("mail_failed", { ...toLogFields(error), ...toMailFields(ctx, user, type) });
