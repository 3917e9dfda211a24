import { type SQL, sql } from "drizzle-orm";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import type { Context, CurrentGuest, CurrentSession } from "#server/context.ts";
import { type BudgetUse, spendDailyBudget } from "#server/daily-budget.ts";
import { hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { getPeriod } from "#server/recording/period.ts";
import type { PlanLevel } from "#server/recording/plan-limits.ts";
import { type BillingMode, selectTier } from "#server/subscriptions/queries.ts";
import { AppError } from "#shared/errors.ts";

/**
 * Characters that each payer may send to the model in a day (UTC), whatever was recorded. The
 * arithmetic is in docs/decisions/0027-a-daily-budget-for-the-model.md.
 */
export const dailyCharacters: Record<PlanLevel, number> = {
  guest: 250_000,
  free: 6_000_000,
  pro: 15_000_000,
  premium: 30_000_000,
};
/** Added for each second that was recorded today. */
export const charactersPerRecordedSecond = 1_500;
/** Guests of one IPv6 /48 together, which holds 65,536 customers' networks. */
export const networkDailyCharacters = 20_000_000;

type Payer =
  | { kind: "user"; userId: string }
  | { kind: "guest"; recordingId: string; address: string | null; network: string | null };

type Caller = Pick<Context, "db" | "clock" | "logger" | "requestId" | "settings"> & {
  session: CurrentSession | null;
  guest: CurrentGuest | null;
  addressKey: string | null;
  networkKey: string | null;
};

/**
 * Counts `characters` for the caller, for guests together and for the whole site, before the model is
 * asked. One database request.
 *
 * @throws AppError `model_budget_exhausted` when the caller's own day is used up,
 * `site_budget_exhausted` when the site's is; nothing is counted then.
 */
export async function spendModelBudget(caller: Caller, characters: number): Promise<void> {
  const { db, clock, logger, requestId, settings } = caller;
  const now = clock.now();
  const payer = toPayer(caller);
  const uses = listBudgetUses(payer, characters, {
    now,
    ...settings.modelBudget,
    ...settings.billing,
  });
  const exceeded = await spendDailyBudget(db, uses, now);
  if (exceeded.length === 0) return;
  const ownKey = uses[0].key;
  const isOwn =
    exceeded.includes(ownKey) || exceeded.some((key) => key.startsWith("model:network"));
  const line = { requestId, budgets: exceeded.join(), payer: ownKey };
  if (isOwn) logger.info("model_budget_exhausted", line);
  else logger.warn("site_budget_exhausted", line);
  throw new AppError(isOwn ? "model_budget_exhausted" : "site_budget_exhausted", {
    retryAfterSeconds: getSecondsUntilTomorrow(now),
  });
}

function toPayer({ session, guest, addressKey, networkKey, settings }: Caller): Payer {
  if (session) return { kind: "user", userId: session.user.id };
  if (!guest) throw new AppError("unauthenticated");
  const { guestTicketSecret: secret } = settings;
  const range = networkKey !== null && isIpv6Range(networkKey) ? networkKey : null;
  const address = hashGuestAddress(secret, addressKey);
  const network = hashGuestAddress(secret, range);
  return { kind: "guest", recordingId: guest.recordingId, address, network };
}

/** An IPv4 /24 may be a campus; an IPv6 /48 is one customer's with addresses without end. */
export function isIpv6Range(networkKey: string): boolean {
  return networkKey.slice("network:".length).includes(":");
}

function listBudgetUses(
  payer: Payer,
  amount: number,
  { now, guests, site, mode }: { now: Date; guests: number; site: number; mode: BillingMode },
): [BudgetUse, ...BudgetUse[]] {
  const all: BudgetUse = { key: "model:site", amount, limit: site };
  if (payer.kind === "user") {
    const { userId } = payer;
    return [
      { key: `model:user:${userId}`, amount, limit: selectUserLimit(userId, mode, now) },
      all,
    ];
  }
  const { recordingId, address, network } = payer;
  const key = address === null ? `model:ticket:${recordingId}` : `model:address:${address}`;
  return [
    { key, amount, limit: selectGuestLimit(recordingId, address, now) },
    ...(network === null
      ? []
      : [{ key: `model:network:${network}`, amount, limit: networkDailyCharacters }]),
    { key: "model:guests", amount, limit: guests },
    all,
  ];
}

function selectUserLimit(userId: string, mode: BillingMode, now: Date): SQL {
  // A segment that began yesterday counts as a whole.
  const recordedMs = sql`(select coalesce(sum(recorded_ms), 0) from ${usageLedger}
    where user_id = ${userId}::uuid and month = ${getPeriod(now.getTime(), { userId })}::date
      and flushed_at >= ${getStartOfDay(now)}::timestamptz)`;
  return sql`case ${selectTier({ userId, mode, now })}
      when 'premium' then ${dailyCharacters.premium}::bigint
      when 'pro' then ${dailyCharacters.pro}::bigint
      else ${dailyCharacters.free}::bigint
    end + ${toRecordingBonus(recordedMs)}`;
}

function selectGuestLimit(recordingId: string, address: string | null, now: Date): SQL {
  const day = getStartOfDay(now).slice(0, 10);
  // By ticket too: a guest who changes the network takes along what was recorded before.
  const recordedMs = sql`greatest(
    (select coalesce(sum(recorded_ms), 0) from ${guestUsage}
      where day = ${day}::date and recording_id = ${recordingId}::uuid),
    (select coalesce(sum(recorded_ms), 0) from ${guestUsage}
      where day = ${day}::date and address = ${address}::text))`;
  return sql`${dailyCharacters.guest}::bigint + ${toRecordingBonus(recordedMs)}`;
}

const toRecordingBonus = (recordedMs: SQL): SQL =>
  sql`${recordedMs}::bigint * ${charactersPerRecordedSecond}::bigint / 1000`;

const dayMs = 86_400_000;
const getStartOfDay = (now: Date) => `${now.toISOString().slice(0, 10)}T00:00:00.000Z`;
const getSecondsUntilTomorrow = (now: Date) =>
  Math.ceil((Date.parse(getStartOfDay(now)) + dayMs - now.getTime()) / 1_000);
