import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { dailyCounters } from "#drizzle/schema.ts";
import { spendDailyBudget } from "#server/daily-budget.ts";
import type { Database } from "#server/database.ts";
import { createDatabase, databases } from "./support/production-driver.ts";

const today = new Date("2026-11-20T23:59:59.000Z");
const tomorrow = new Date("2026-11-21T00:00:00.000Z");

const amounts = (db: Database, key: string) =>
  db.select().from(dailyCounters).where(eq(dailyCounters.key, key)).orderBy(dailyCounters.day);

describe.each(databases)("a daily budget in $name", ({ open }) => {
  const getDatabase = createDatabase(open);

  it("counts up to its limit and resets each day", async () => {
    const { db } = getDatabase();
    const key = `model:user:${crypto.randomUUID()}`;
    const use = (amount: number, now: Date) =>
      spendDailyBudget(db, [{ key, amount, limit: 10 }], now);
    expect(await use(6, today)).toEqual([]);
    expect(await use(5, today)).toEqual([key]);
    expect(await use(4, today)).toEqual([]);
    expect(await use(1, today)).toEqual([key]);
    expect(await use(10, tomorrow)).toEqual([]);
    expect(await amounts(db, key)).toEqual([
      { day: "2026-11-20", key, amount: 10 },
      { day: "2026-11-21", key, amount: 10 },
    ]);
  });

  it("counts nothing for other keys when one limit is exceeded", async () => {
    const { db } = getDatabase();
    const [own, shared] = [`own:${crypto.randomUUID()}`, `shared:${crypto.randomUUID()}`];
    const use = (amount: number) =>
      spendDailyBudget(
        db,
        [
          { key: own, amount, limit: 10 },
          { key: shared, amount, limit: 100 },
        ],
        today,
      );
    expect(await use(10)).toEqual([]);
    expect(await use(1)).toEqual([own]);
    expect(await amounts(db, shared)).toMatchObject([{ amount: 10 }]);
  });

  it("accepts a limit that depends on stored rows", async () => {
    const { db } = getDatabase();
    const key = `expression:${crypto.randomUUID()}`;
    const limit = sql`select count(*) * 2 from generate_series(1, 3)`;
    expect(await spendDailyBudget(db, [{ key, amount: 6, limit }], today)).toEqual([]);
    expect(await spendDailyBudget(db, [{ key, amount: 1, limit }], today)).toEqual([key]);
  });

  it("is exact under forty concurrent calls in either order of keys", async () => {
    const { db } = getDatabase();
    const keys = [`a:${crypto.randomUUID()}`, `b:${crypto.randomUUID()}`] as const;
    const uses = keys.map((key) => ({ key, amount: 1, limit: 25 }));
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [first, second] = index % 2 === 0 ? uses : uses.toReversed();
        if (!first || !second) throw new Error("There are two uses");
        return spendDailyBudget(db, [first, second], today);
      }),
    );
    expect(results.filter((exceeded) => exceeded.length === 0)).toHaveLength(25);
    for (const key of keys) expect(await amounts(db, key)).toMatchObject([{ amount: 25 }]);
  });
});
