import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { subscriptions, usageLedger } from "#drizzle/schema.ts";
import { appRouter } from "#server/app-router.ts";
import { getPeriod } from "#server/recording/plan-limits.ts";
import { getEffectiveTier } from "#server/subscriptions/effective-tier.ts";
import { readPlanUsage } from "#server/subscriptions/queries.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T12:00:00.000Z");
const later = new Date("2026-11-25T00:00:00.000Z");

describe("getEffectiveTier", () => {
  const cancelled = {
    tier: "pro",
    status: "cancelled",
    currentPeriodEnd: later,
    simulated: false,
  } as const;

  test("is Free without a subscription", () => expect(getEffectiveTier(null, now)).toBe("free"));
  test("is the tier of an active plan", () =>
    expect(getEffectiveTier({ ...cancelled, status: "active" }, now)).toBe("pro"));
  test("is the tier of an active plan after its period, unless it was simulated", () => {
    const active = { ...cancelled, status: "active" } as const;
    expect(getEffectiveTier(active, later)).toBe("pro");
    expect(getEffectiveTier({ ...active, simulated: true }, now)).toBe("pro");
    expect(getEffectiveTier({ ...active, simulated: true }, later)).toBe("free");
  });
  test("is Free with an inactive plan", () =>
    expect(getEffectiveTier({ ...cancelled, status: "inactive" }, now)).toBe("free"));
  test("is the tier of a cancelled plan until its period ends", () => {
    expect(getEffectiveTier(cancelled, new Date(later.getTime() - 1))).toBe("pro");
    expect(getEffectiveTier(cancelled, later)).toBe("free");
    expect(getEffectiveTier({ ...cancelled, currentPeriodEnd: null }, now)).toBe("free");
  });
});

test("a user's period is the month in UTC", () => {
  const getMonth = (date: string) => getPeriod(Date.parse(date), { userId: "user" });
  expect(getMonth("2026-12-01T00:30:00.000+02:00")).toBe("2026-11-01");
  expect(getMonth("2026-12-01T00:00:00.000Z")).toBe("2026-12-01");
});

const segment = (userId: string, month: string, recordedMs: number, n = 0) => ({
  recordingId: crypto.randomUUID(),
  segment: n,
  userId,
  month,
  recordedMs,
  startedAt: now,
  flushedAt: now,
});

describe("readPlanUsage", () => {
  const mode = "test";
  test("returns Free's unused hour without a subscription", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    expect(await readPlanUsage(db, { userId, now, mode })).toEqual({
      subscription: null,
      tier: "free",
      hourLimit: 1,
      usedMs: 0,
      readersMax: 30,
      readerLanguagesMax: 1,
    });
  });

  test("sums the user's segments of the month beyond 32 bits", async () => {
    const db = database();
    const [user, other] = [await addUser(db), await addUser(db)];
    await db
      .insert(usageLedger)
      .values([
        segment(user.id, "2026-11-01", 2_000_000_000),
        segment(user.id, "2026-11-01", 2_000_000_000, 1),
        segment(user.id, "2026-10-01", 7),
        segment(other.id, "2026-11-01", 11),
      ]);
    expect(await readPlanUsage(db, { userId: user.id, now, mode })).toMatchObject({
      hourLimit: 1,
      usedMs: 4_000_000_000,
    });
  });

  test("keeps a cancelled plan's hours until its period ends", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    await db
      .insert(subscriptions)
      .values({ userId, tier: "premium", status: "cancelled", currentPeriodEnd: later });
    expect((await readPlanUsage(db, { userId, now, mode })).hourLimit).toBe(100);
    expect((await readPlanUsage(db, { userId, now: later, mode })).hourLimit).toBe(1);
  });

  test("ignores a simulated plan, but not Stripe's, when payments are real", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const read = () => readPlanUsage(db, { userId, now, mode: "live" });
    await db
      .insert(subscriptions)
      .values({ userId, tier: "premium", status: "active", currentPeriodEnd: later });
    expect(await read()).toMatchObject({ subscription: null, tier: "free", hourLimit: 1 });
    await db
      .update(subscriptions)
      .set({ stripeSubscriptionId: `sub_${userId}` })
      .where(eq(subscriptions.userId, userId));
    expect(await read()).toMatchObject({ tier: "premium", hourLimit: 100 });
    // A payment that is owed is reported even without a plan.
    await db
      .update(subscriptions)
      .set({ tier: "free", stripeSubscriptionId: null, paymentState: "past_due" })
      .where(eq(subscriptions.userId, userId));
    expect((await read()).subscription).toMatchObject({ paymentState: "past_due" });
  });
});

test("subscriptions.check returns plan, end and whole seconds", async () => {
  const db = database();
  const user = await addUser(db);
  const createCaller = createCallerFactory(appRouter);
  const ask = (moment: Date) => {
    const { context } = createFakeContext(db, {
      session: createSession(user),
      clock: { now: () => moment },
    });
    return createCaller(context).subscriptions.check();
  };
  const free = {
    subscriptionTier: "free",
    subscriptionStatus: "inactive",
    subscribed: false,
    cancelAtPeriodEnd: false,
    paymentState: "ok",
    interval: null,
    simulated: false,
    subscriptionEnd: null,
    hourLimit: 1,
    timeUsedThisMonth: 0,
  };
  expect(await ask(now)).toEqual(free);
  await db.insert(subscriptions).values({
    userId: user.id,
    tier: "pro",
    status: "cancelled",
    interval: "year",
    currentPeriodEnd: later,
    cancelAtPeriodEnd: true,
    stripeSubscriptionId: user.id,
  });
  await db.insert(usageLedger).values(segment(user.id, "2026-11-01", 1_999));
  expect(await ask(now)).toEqual({
    subscriptionTier: "pro",
    subscriptionStatus: "cancelled",
    subscribed: true,
    cancelAtPeriodEnd: true,
    paymentState: "ok",
    interval: "year",
    simulated: false,
    subscriptionEnd: later.toISOString(),
    hourLimit: 20,
    timeUsedThisMonth: 1,
  });
  expect(await ask(later)).toEqual({ ...free, timeUsedThisMonth: 1 });
});
