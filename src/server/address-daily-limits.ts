import type { Context } from "./context.ts";
import type { BudgetUse } from "./daily-budget.ts";
import { hashGuestAddress } from "./recording/guest-usage-ledger.ts";

/**
 * Daily limits (UTC) of what needs no account: per network address (IPv4 address or IPv6 /64) and per network
 * (/24 or /48). They are high enough for a lecture hall behind one address, and stop thousands of accounts
 * from one network. The limits of a minute: `Limits` in context.ts.
 */
const addressDailyLimits = {
  accounts: { address: 200, network: 400 },
  /** Enough for the confirmation mails of new accounts, plus half as many. */
  mails: { address: 300, network: 600 },
  guestTickets: { address: 300, network: 600 },
} as const;

/** One use for the caller's address and one for the network; empty on a developer's machine, which has neither. */
export function listAddressUses(
  ctx: Pick<Context, "addressKey" | "networkKey" | "settings">,
  what: keyof typeof addressDailyLimits,
): BudgetUse[] {
  const ranges = [
    ["address", ctx.addressKey],
    ["network", ctx.networkKey],
  ] as const;
  return ranges.flatMap(([range, key]) => {
    const hash = hashGuestAddress(ctx.settings.guestTicketSecret, key);
    const limit = addressDailyLimits[what][range];
    return hash === null ? [] : [{ key: `${what}:${range}:${hash}`, amount: 1, limit }];
  });
}
