import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { dailyCounters, guestUsage, subscriptions, usageLedger } from "#drizzle/schema.ts";
import {
  dailyCharacters,
  isIpv6Range,
  networkDailyCharacters,
  charactersPerRecordedSecond as perSecond,
  spendModelBudget,
} from "#server/ai/model-budget.ts";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { getEffectiveTier } from "#server/subscriptions/effective-tier.ts";
import { paidTiers, subscriptionStatuses } from "#shared/plans.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { createDatabase, databases } from "#tests/unit/server/support/production-driver.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

const now = new Date("2026-11-20T12:00:00.000Z");
const secret = "a secret of tests that is long enough";

describe.each(databases)("the daily budget of model calls in $name", ({ open }) => {
  const getDatabase = createDatabase(open);
  const db = (): Database => getDatabase().db;

  const asUser = async (over: Partial<Context> = {}) => {
    const user = await addUser(db());
    return { ...createFakeContext(db(), { session: createSession(user), ...over }), user };
  };
  const asGuest = (over: Partial<Context> = {}) => {
    const recordingId = crypto.randomUUID();
    return { ...createFakeContext(db(), { guest: { recordingId }, ...over }), recordingId };
  };
  const newAddress = () => `address:${crypto.randomUUID()}`;
  /** Uses up `limit`, then one character more. */
  async function expectLimit(context: Context, limit: number) {
    expect(await getErrorCode(spendModelBudget(context, limit + 1))).toBe("model_budget_exhausted");
    expect(await getErrorCode(spendModelBudget(context, limit))).toBe("no error");
    expect(await getErrorCode(spendModelBudget(context, 1))).toBe("model_budget_exhausted");
  }
  const recorded = (userId: string, recordedMs: number, flushedAt: Date, month = "2026-11-01") => ({
    recordingId: crypto.randomUUID(),
    segment: 0,
    userId,
    month,
    recordedMs,
    startedAt: flushedAt,
    flushedAt,
  });

  it("is Free's base for an account without a subscription, and the refusal says when it resets", async () => {
    const { context, user, logged } = await asUser();
    await expectLimit(context, dailyCharacters.free);
    await expect(spendModelBudget(context, 1)).rejects.toMatchObject({
      retryAfterSeconds: 12 * 3_600,
    });
    expect(logged[0]).toEqual({
      level: "info",
      event: "model_budget_exhausted",
      fields: {
        requestId: "request",
        budgets: `model:user:${user.id}`,
        payer: `model:user:${user.id}`,
      },
    });
    context.clock = { now: () => new Date("2026-11-21T00:00:00.000Z") };
    expect(await getErrorCode(spendModelBudget(context, dailyCharacters.free))).toBe("no error");
  });

  it("grows with the seconds that a user recorded today", async () => {
    const { context, user } = await asUser();
    await db()
      .insert(usageLedger)
      .values([
        recorded(user.id, 90_500, now),
        recorded(user.id, 500, new Date("2026-11-20T00:00:00.000Z")),
        recorded(user.id, 7_000_000, new Date("2026-11-19T23:59:59.999Z")),
        recorded((await addUser(db())).id, 7_000_000, now),
      ]);
    await expectLimit(context, dailyCharacters.free + 91 * perSecond);
  });

  const ends = [null, new Date(now.getTime() - 1), now, new Date(now.getTime() + 1)];
  const states = paidTiers.flatMap((tier) =>
    subscriptionStatuses.flatMap((status) =>
      ends.flatMap((currentPeriodEnd) =>
        [true, false].map((simulated) => ({ tier, status, currentPeriodEnd, simulated })),
      ),
    ),
  );
  it("follows the plan that is effective now", async () => {
    for (const state of states) {
      const { context, user } = await asUser();
      const { tier, status, currentPeriodEnd, simulated } = state;
      await db()
        .insert(subscriptions)
        .values({
          userId: user.id,
          tier,
          status,
          currentPeriodEnd,
          stripeSubscriptionId: simulated ? null : crypto.randomUUID(),
        });
      const limit = dailyCharacters[getEffectiveTier(state, now)];
      expect(await getErrorCode(spendModelBudget(context, limit + 1)), JSON.stringify(state)).toBe(
        "model_budget_exhausted",
      );
      expect(await getErrorCode(spendModelBudget(context, limit)), JSON.stringify(state)).toBe(
        "no error",
      );
    }
  });

  it("ignores a simulated plan when payments are real", async () => {
    const { context, user } = await asUser();
    const billing = { ...context.settings.billing, mode: "live" as const };
    context.settings = { ...context.settings, billing };
    const currentPeriodEnd = new Date(now.getTime() + 86_400_000);
    await db()
      .insert(subscriptions)
      .values({ userId: user.id, tier: "premium", status: "active", currentPeriodEnd });
    await expectLimit(context, dailyCharacters.free);
  });

  it("is shared by all tickets of a guest's address, and grows with the time recorded from it", async () => {
    const addressKey = newAddress();
    const address = hashGuestAddress(secret, addressKey);
    const row = (recordedMs: number, day: string, from: string | null) => ({
      recordingId: crypto.randomUUID(),
      segment: 0,
      day,
      address: from,
      recordedMs,
      startedAt: now,
      flushedAt: now,
    });
    await db()
      .insert(guestUsage)
      .values([
        row(60_000, "2026-11-20", address),
        row(30_000, "2026-11-20", address),
        row(600_000, "2026-11-19", address),
        row(600_000, "2026-11-20", null),
      ]);
    const limit = dailyCharacters.guest + 90 * perSecond;
    expect(await getErrorCode(spendModelBudget(asGuest({ addressKey }).context, limit))).toBe(
      "no error",
    );
    for (let fresh = 0; fresh < 3; fresh += 1)
      expect(await getErrorCode(spendModelBudget(asGuest({ addressKey }).context, 1))).toBe(
        "model_budget_exhausted",
      );
  });

  it("counts what a guest recorded before a change of network", async () => {
    const { context, recordingId } = asGuest({ addressKey: newAddress() });
    await db().insert(guestUsage).values({
      recordingId,
      segment: 0,
      day: "2026-11-20",
      address: "elsewhere",
      recordedMs: 120_000,
      startedAt: now,
      flushedAt: now,
    });
    await expectLimit(context, dailyCharacters.guest + 120 * perSecond);
  });

  it("is counted by ticket if the address says nothing", async () => {
    await expectLimit(asGuest().context, dailyCharacters.guest);
    expect(await getErrorCode(spendModelBudget(asGuest().context, 1))).toBe("no error");
  });

  it("is limited for an IPv6 /48 together, but not for an IPv4 range", async () => {
    const networkKey = `network:2001:db8:${crypto.randomUUID().slice(0, 4)}`;
    const network = hashGuestAddress(secret, networkKey);
    const day = "2026-11-20";
    await db()
      .insert(dailyCounters)
      .values({ day, key: `model:network:${network}`, amount: networkDailyCharacters });
    const guest = asGuest({ addressKey: newAddress(), networkKey });
    expect(await getErrorCode(spendModelBudget(guest.context, 1))).toBe("model_budget_exhausted");
    expect([isIpv6Range(networkKey), isIpv6Range("network:192.0.2")]).toEqual([true, false]);
  });

  it("cannot be overdrawn by concurrent calls", async () => {
    const { context, user } = await asUser();
    const amount = dailyCharacters.free / 10;
    const calls = Array.from({ length: 40 }, () => getErrorCode(spendModelBudget(context, amount)));
    const codes = await Promise.all(calls);
    expect(codes.filter((code) => code === "no error")).toHaveLength(10);
    const key = `model:user:${user.id}`;
    expect(await db().select().from(dailyCounters).where(eq(dailyCounters.key, key))).toMatchObject(
      [{ amount: dailyCharacters.free }],
    );
  });
});
