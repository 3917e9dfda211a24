import { type SQL, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Context } from "#server/context.ts";
import {
  type BudgetUse,
  getSecondsUntilTomorrow,
  spendDailyBudget,
  toUtcDay,
} from "#server/daily-budget.ts";
import { toTimestamp } from "#server/database.ts";
import type { LogFields } from "#server/ports.ts";
import { hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { getPeriod, type PlanLevel } from "#server/recording/plan-limits.ts";
import { type BillingMode, selectTier } from "#server/subscriptions/queries.ts";
import { AppError } from "#shared/errors.ts";

/**
 * Characters that each caller may send to the model in a day (UTC) without recording. Calculated in
 * docs/decisions/0027-a-daily-budget-for-the-model.md.
 */
export const dailyCharacters: Record<PlanLevel, number> = {
  guest: 250_000,
  free: 6_000_000,
  pro: 15_000_000,
  premium: 30_000_000,
};
/** Added for each second that was recorded on the day. */
export const charactersPerRecordedSecond = 1_500;
/** For all guests in one IPv6 /48, which contains 65,536 customers' networks. */
export const networkDailyCharacters = 20_000_000;
/** Translations for readers of a shared lecture use its owner's budget up to this part; the rest is the owner's. */
const readersPart = 3 / 4;

/**
 * Counts `characters` for the caller, for all guests and for the whole site, before the model is called. One
 * database request.
 *
 * @throws AppError `model_budget_exhausted` when the caller's own budget is used up, `site_budget_exhausted`
 * when the site's is; nothing is counted then.
 */
export async function spendModelBudget(caller: Context, characters: number): Promise<void> {
  const budgets = listBudgets(caller, caller.clock.now());
  await spend(caller, budgets, characters, { requestId: caller.requestId });
}

export type BudgetServices = Pick<Context, "db" | "clock" | "logger"> & {
  settings: { modelBudget: { site: number }; billing: { mode: BillingMode } };
};

/**
 * The same for a translation that readers of a shared lecture get, which its owner pays.
 *
 * @throws AppError as `spendModelBudget`
 */
export async function spendBudgetForReaders(
  services: BudgetServices,
  { userId, shareId }: { userId: string; shareId: string },
  characters: number,
): Promise<void> {
  const [own, site] = listUserBudgets(services, userId, services.clock.now());
  const part = { ...own, limit: sql`((${own.limit}) * ${readersPart}::float8)::bigint` };
  await spend(services, [part, site], characters, { shareId });
}

/** Counts `characters` in all of `budgets`, the caller's own first. */
async function spend(
  { db, clock, logger }: Pick<Context, "db" | "clock" | "logger">,
  budgets: readonly [Budget, ...Budget[]],
  characters: number,
  caller: LogFields,
): Promise<void> {
  const now = clock.now();
  const [own] = budgets;
  const uses = budgets.map((budget) => ({ ...budget, amount: characters }));
  const exceeded = await spendDailyBudget(db, uses, now);
  if (exceeded.length === 0) return;
  const isOwn = exceeded.some((key) => key === own.key || key.startsWith("model:network"));
  const line = { ...caller, budgets: exceeded.join(), payer: own.key };
  if (isOwn) logger.info("model_budget_exhausted", line);
  else logger.warn("site_budget_exhausted", line);
  throw new AppError(isOwn ? "model_budget_exhausted" : "site_budget_exhausted", {
    retryAfterSeconds: getSecondsUntilTomorrow(now),
  });
}

type Budget = Omit<BudgetUse, "amount">;

/** The budgets that count a call: first the caller's own, last the site's. */
function listBudgets(caller: Context, now: Date): [Budget, ...Budget[]] {
  const { session, guest, addressKey, networkKey, settings } = caller;
  if (session) return listUserBudgets(caller, session.user.id, now);
  if (!guest) throw new AppError("unauthenticated");
  const { recordingId } = guest;
  const range = networkKey !== null && isIpv6Range(networkKey) ? networkKey : null;
  const address = hashGuestAddress(settings.guestTicketSecret, addressKey);
  const network = hashGuestAddress(settings.guestTicketSecret, range);
  return [
    {
      key: address === null ? `model:ticket:${recordingId}` : `model:address:${address}`,
      limit: selectGuestLimit(recordingId, address, now),
    },
    ...(network === null
      ? []
      : [{ key: `model:network:${network}`, limit: networkDailyCharacters }]),
    { key: "model:guests", limit: settings.modelBudget.guests },
    getSiteBudget(settings),
  ];
}

const getSiteBudget = ({ modelBudget }: BudgetServices["settings"]): Budget => ({
  key: "model:site",
  limit: modelBudget.site,
});

function listUserBudgets(
  { settings }: Pick<BudgetServices, "settings">,
  userId: string,
  now: Date,
): [Budget, Budget] {
  const limit = selectUserLimit(userId, settings.billing.mode, now);
  return [{ key: `model:user:${userId}`, limit }, getSiteBudget(settings)];
}

/** An IPv4 /24 may be a campus; an IPv6 /48 belongs to one customer, who has countless addresses. */
export function isIpv6Range(networkKey: string): boolean {
  return networkKey.slice("network:".length).includes(":");
}

function selectUserLimit(userId: string, mode: BillingMode, now: Date): SQL {
  // A segment that began yesterday counts in full.
  const recordedMs = sql`(select coalesce(sum(recorded_ms), 0) from ${usageLedger}
    where user_id = ${userId}::uuid and month = ${getPeriod(now.getTime(), { userId })}::date
      and flushed_at >= ${toTimestamp(new Date(toUtcDay(now)))})`;
  return sql`case ${selectTier({ userId, mode, now })}
      when 'premium' then ${dailyCharacters.premium}::bigint
      when 'pro' then ${dailyCharacters.pro}::bigint
      else ${dailyCharacters.free}::bigint
    end + ${toRecordingBonus(recordedMs)}`;
}

function selectGuestLimit(recordingId: string, address: string | null, now: Date): SQL {
  const day = toUtcDay(now);
  // By ticket too: a guest who changes the network keeps what was recorded before.
  const recordedMs = sql`greatest(
    (select coalesce(sum(recorded_ms), 0) from ${guestUsage}
      where day = ${day}::date and recording_id = ${recordingId}::uuid),
    (select coalesce(sum(recorded_ms), 0) from ${guestUsage}
      where day = ${day}::date and address = ${address}::text))`;
  return sql`${dailyCharacters.guest}::bigint + ${toRecordingBonus(recordedMs)}`;
}

const toRecordingBonus = (recordedMs: SQL): SQL =>
  sql`${recordedMs}::bigint * ${charactersPerRecordedSecond}::bigint / 1000`;
