import { listAddressUses } from "#server/address-daily-limits.ts";
import type { Context } from "#server/context.ts";
import { withBudgets } from "#server/daily-budget.ts";
import { hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { AppError } from "#shared/errors.ts";
import { sendInvitation } from "./account-emails.ts";
import { normalizeEmail } from "./accounts.ts";
import { checkInvitation } from "./invitations.ts";

/** Links that an address gets in a day (UTC), whoever requests them. */
const linksPerDay = 5;

/**
 * Decides whether `email`, in its normal form, may have a new account.
 *
 * @returns whether the address is known to be the caller's.
 * @throws AppError with the rule that the caller does not meet; `invitation_sent` when a link was sent to the address,
 *   with which the caller can create the account.
 */
export async function checkSignUp(
  ctx: Context,
  { email, invitation }: { email: string; invitation: string | undefined },
): Promise<{ isConfirmed: boolean }> {
  const { rule, domains } = ctx.settings.signUp;
  if (rule === "open") return { isConfirmed: false };
  if (rule === "sign-on") {
    if (ctx.signedOnAs === null) throw new AppError("sign_on_required");
    if (normalizeEmail(ctx.signedOnAs) !== email) throw new AppError("sign_on_other_address");
    return { isConfirmed: true };
  }
  const secret = ctx.settings.guestTicketSecret;
  if (invitation !== undefined) {
    checkInvitation({ secret, now: ctx.clock.now() }, { invitation, email });
    return { isConfirmed: true };
  }
  if (rule === "invitation") throw new AppError("invitation_required");
  if (!domains.includes(email.slice(email.lastIndexOf("@") + 1)))
    throw new AppError("domain_required");
  // An account with a password before the address is confirmed would be an outsider's as soon as a member, who has not
  // asked for the mail, opened its link.
  const hash = hashGuestAddress(secret, email);
  const uses = [
    ...listAddressUses(ctx, "mails"),
    { key: `invitations:${hash}`, amount: 1, limit: linksPerDay },
    { key: "mails:site", amount: 1, limit: ctx.settings.dailyLimits.mails },
  ];
  await withBudgets(ctx, uses, () => sendInvitation(ctx, email));
  throw new AppError("invitation_sent");
}
