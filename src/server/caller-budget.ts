import { AppError } from "#shared/errors.ts";
import type { Context } from "./context.ts";
import { type BudgetUse, spendDailyBudget } from "./daily-budget.ts";
import { toLogFields } from "./errors.ts";
import { hashGuestAddress } from "./recording/guest-usage-ledger.ts";

/**
 * What callers without an account may use in a day (UTC): from one address (an IPv4 address, the /64 of
 * IPv6) and from the range around it (the /24, the /48). A lecture hall behind one address signs up on
 * its first day; thousands of accounts from one range are nobody's class.
 */
const callerLimits = {
  accounts: { address: 200, network: 400 },
  /** As many as new accounts need for their confirmation, and half as many again. */
  mails: { address: 300, network: 600 },
  guestTickets: { address: 300, network: 600 },
} as const;

const dayMs = 86_400_000;

/** One use by the caller's address and range; none on the developer's own machine, which has neither. */
export async function listCallerUses(
  ctx: Pick<Context, "addressKey" | "networkKey" | "settings">,
  what: keyof typeof callerLimits,
): Promise<BudgetUse[]> {
  const secret = ctx.settings.guestTicketSecret;
  const limits = callerLimits[what];
  const ranges = [
    { range: "address", key: ctx.addressKey, limit: limits.address },
    { range: "network", key: ctx.networkKey, limit: limits.network },
  ];
  const uses = await Promise.all(
    ranges.map(async ({ range, key, limit }) => {
      const hash = await hashGuestAddress(secret, key);
      return hash === null ? [] : [{ key: `${what}:${range}:${hash}`, amount: 1, limit }];
    }),
  );
  return uses.flat();
}

/**
 * Counts `uses`: all of them or, where one exceeds its limit, none.
 *
 * @throws AppError `daily_limit_reached`
 */
export async function spendBudgets(
  ctx: Context,
  uses: readonly BudgetUse[],
  now = ctx.clock.now(),
): Promise<void> {
  const [first, ...rest] = uses;
  if (!first) return;
  const exceeded = await spendDailyBudget(ctx.db, [first, ...rest], now);
  if (exceeded.length === 0) return;
  for (const key of exceeded) {
    const budget = key.split(":").slice(0, 2).join(":");
    ctx.logger.warn("daily_limit_reached", { requestId: ctx.requestId, budget });
  }
  const retryAfterSeconds = Math.ceil((dayMs - (now.getTime() % dayMs)) / 1_000);
  throw new AppError("daily_limit_reached", { retryAfterSeconds });
}

/**
 * Runs `work` on `uses`. They are given back when it throws: nobody pays for what they did not get.
 *
 * @throws AppError `daily_limit_reached`; what `work` throws.
 */
export async function withBudgets<T>(
  ctx: Context,
  uses: readonly BudgetUse[],
  work: () => Promise<T>,
): Promise<T> {
  const now = ctx.clock.now();
  await spendBudgets(ctx, uses, now);
  try {
    return await work();
  } catch (error) {
    const returned = uses.map((use) => ({ ...use, amount: -use.amount }));
    await spendBudgets(ctx, returned, now).catch((fault: unknown) => {
      const fields = { ...toLogFields(fault), requestId: ctx.requestId };
      ctx.logger.warn("budget_not_returned", fields);
    });
    throw error;
  }
}
