import { AppError } from "#shared/errors.ts";
import type { Context } from "./context.ts";
import { type BudgetUse, getSecondsUntilTomorrow, spendDailyBudget } from "./daily-budget.ts";
import { toLogFields } from "./errors.ts";
import { hashGuestAddress } from "./recording/guest-usage-ledger.ts";

/**
 * Daily limits (UTC) for callers without an account: per address (IPv4 address or IPv6 /64) and per network
 * (/24 or /48). They are high enough for a lecture hall behind one address, and stop thousands of accounts
 * from one network.
 */
const callerLimits = {
  accounts: { address: 200, network: 400 },
  /** Enough for the confirmation mails of new accounts, plus half as many. */
  mails: { address: 300, network: 600 },
  guestTickets: { address: 300, network: 600 },
} as const;

/** One use for the caller's address and one for the network; empty on a developer's machine, which has neither. */
export function listCallerUses(
  ctx: Pick<Context, "addressKey" | "networkKey" | "settings">,
  what: keyof typeof callerLimits,
): BudgetUse[] {
  const ranges = [
    ["address", ctx.addressKey],
    ["network", ctx.networkKey],
  ] as const;
  return ranges.flatMap(([range, key]) => {
    const hash = hashGuestAddress(ctx.settings.guestTicketSecret, key);
    const limit = callerLimits[what][range];
    return hash === null ? [] : [{ key: `${what}:${range}:${hash}`, amount: 1, limit }];
  });
}

/**
 * Counts all `uses`, or none if one exceeds its limit.
 *
 * @throws AppError `daily_limit_reached`
 */
export async function spendBudgets(
  ctx: Context,
  uses: readonly BudgetUse[],
  now = ctx.clock.now(),
): Promise<void> {
  const exceeded = await spendDailyBudget(ctx.db, uses, now);
  if (exceeded.length === 0) return;
  for (const key of exceeded) {
    const budget = key.split(":").slice(0, 2).join(":");
    ctx.logger.warn("daily_limit_reached", { requestId: ctx.requestId, budget });
  }
  throw new AppError("daily_limit_reached", { retryAfterSeconds: getSecondsUntilTomorrow(now) });
}

/**
 * Counts `uses` and runs `operation`. If it throws, the uses are returned.
 *
 * @throws AppError `daily_limit_reached`; errors of `operation`.
 */
export async function withBudgets<T>(
  ctx: Context,
  uses: readonly BudgetUse[],
  operation: () => Promise<T>,
): Promise<T> {
  const now = ctx.clock.now();
  await spendBudgets(ctx, uses, now);
  try {
    return await operation();
  } catch (error) {
    const returned = uses.map((use) => ({ ...use, amount: -use.amount }));
    await spendBudgets(ctx, returned, now).catch((failure: unknown) => {
      const fields = { ...toLogFields(failure), requestId: ctx.requestId };
      ctx.logger.warn("budget_not_returned", fields);
    });
    throw error;
  }
}
