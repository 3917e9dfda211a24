import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { oneTimeTokens, users } from "#drizzle/schema.ts";
import { confirmEmail, issueToken, spendRecovery } from "#server/auth/one-time-tokens.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T12:00:00.000Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const hourMs = 3_600_000;

const lifetimes = [
  ["signup", 24 * hourMs, confirmEmail],
  ["recovery", hourMs, spendRecovery],
] as const;

describe.each(lifetimes)("a %s link", (type, lifetimeMs, spend) => {
  test("works until its last millisecond", async () => {
    const db = database();
    const user = await addUser(db);
    const first = await issueToken(db, { userId: user.id, type, now });
    const late = spend(db, { token: first, now: later(lifetimeMs) });
    expect(await getErrorCode(late)).toBe("token_expired");
    expect(await spend(db, { token: first, now: later(lifetimeMs - 1) })).toMatchObject(user);
    const again = spend(db, { token: first, now: later(1) });
    expect(await getErrorCode(again)).toBe("token_invalid");
    // A used link is reported as used, even after its expiry.
    const both = spend(db, { token: first, now: later(lifetimeMs) });
    expect(await getErrorCode(both)).toBe("token_invalid");
  });

  test("is one of five in an hour; the refusal of the sixth says when to retry", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    for (const minute of [0, 1, 2, 3, 4])
      await issueToken(db, { userId, type, now: later(minute * 60_000) });
    const sixth = issueToken(db, { userId, type, now: later(30 * 60_000 + 1) });
    await expect(sixth).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 30 * 60,
    });
    // The refused request replaced no link.
    const alive = await db.select().from(oneTimeTokens).where(eq(oneTimeTokens.userId, userId));
    expect(alive.filter(({ usedAt }) => usedAt === null)).toHaveLength(1);
    await issueToken(db, { userId, type, now: later(hourMs) });
  });

  test("replaces only the previous link of its type and account", async () => {
    const db = database();
    const [user, other] = [await addUser(db), await addUser(db)];
    const otherType = type === "signup" ? "recovery" : "signup";
    const ofOther = await issueToken(db, { userId: other.id, type, now });
    await issueToken(db, { userId: user.id, type: otherType, now });
    const first = await issueToken(db, { userId: user.id, type, now });
    const second = await issueToken(db, { userId: user.id, type, now: later(1) });
    const replaced = spend(db, { token: first, now: later(2) });
    expect(await getErrorCode(replaced)).toBe("token_invalid");
    expect(await spend(db, { token: second, now: later(2) })).toMatchObject(user);
    expect(await spend(db, { token: ofOther, now: later(2) })).toMatchObject(other);
    const open = await db.select().from(oneTimeTokens).where(eq(oneTimeTokens.userId, user.id));
    expect(open.filter(({ usedAt }) => usedAt === null).map((row) => row.type)).toEqual([
      otherType,
    ]);
  });

  test("is the only valid one of several concurrent requests", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const tokens = await Promise.all([1, 2, 3].map(() => issueToken(db, { userId, type, now })));
    const results = await Promise.allSettled(tokens.map((token) => spend(db, { token, now })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

test("keeps the time of an address's first confirmation", async () => {
  const db = database();
  const { id } = await addUser(db);
  const confirmed = async () => {
    const [row] = await db.select().from(users).where(eq(users.id, id));
    return row?.emailVerifiedAt;
  };
  const before = await confirmEmail(db, {
    token: await issueToken(db, { userId: id, type: "signup", now }),
    now: later(5),
  });
  expect(before.isFirst).toBe(true);
  expect(await confirmed()).toEqual(later(5));
  const again = await confirmEmail(db, {
    token: await issueToken(db, { userId: id, type: "signup", now: later(10) }),
    now: later(20),
  });
  expect(again.isFirst).toBe(false);
  expect(await confirmed()).toEqual(later(5));
});
