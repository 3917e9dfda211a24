import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { refreshFamilies, sessions, users } from "#drizzle/schema.ts";
import { replacePassword, resetPassword } from "#server/auth/accounts.ts";
import { createSessions } from "#server/auth/sessions.ts";
import { rotateRefreshToken, startFamily } from "#server/auth/token-pairs.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

/** Calls run truly concurrently only with `LOCAL_DATABASE_URL`. */
const database = createTestDatabase();
const now = new Date();
const rounds = Array.from({ length: 20 }, (_, n) => n);
const fulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;

describe("concurrent calls", () => {
  test("with one refresh token serve one of five callers and end the family", async () => {
    const db = database();
    for (const _ of rounds) {
      const { id: userId } = await addUser(db);
      const { refreshToken } = await startFamily(db, { userId, scope: "full", now });
      let reused = 0;
      const onReuse = () => {
        reused += 1;
      };
      const results = await Promise.allSettled(
        [1, 2, 3, 4, 5].map((n) =>
          rotateRefreshToken(db, { refreshToken, address: `address:${n}`, now, onReuse }),
        ),
      );
      expect(fulfilled(results)).toBe(1);
      expect(reused).toBeGreaterThan(0);
      expect(await db.$count(refreshFamilies, eq(refreshFamilies.userId, userId))).toBe(0);
      expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
    }
  });

  test("that sign in with the old password during its change leave no session", async () => {
    const db = database();
    for (const round of rounds) {
      const { id: userId } = await addUser(db);
      const start = createSessions(db, { secure: true });
      const family = { userId, scope: "full" as const, passwordHash: "unused", now };
      const change = { userId, keptId: "none", before: "unused", passwordHash: `new ${round}` };
      const signIns = () => [start.start(userId, "unused"), startFamily(db, family)];
      const calls = [...signIns(), replacePassword(db, { ...change, now }), ...signIns()];
      await Promise.allSettled(calls);
      expect(await calls[2]).toBe(true);
      expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
      expect(await db.$count(refreshFamilies, eq(refreshFamilies.userId, userId))).toBe(0);
    }
  });

  test("with one recovery set only one of two new passwords", async () => {
    const db = database();
    for (const round of rounds) {
      const { id: userId } = await addUser(db);
      const recoveryId = crypto.randomUUID();
      const expiresAt = new Date(now.getTime() + 60_000);
      await db.insert(sessions).values({ id: recoveryId, userId, scope: "recovery", expiresAt });
      const hashes = [`one ${round}`, `two ${round}`];
      const done = await Promise.all(
        hashes.map((passwordHash) => resetPassword(db, { recoveryId, userId, passwordHash, now })),
      );
      expect([...done].sort()).toEqual([false, true]);
      const [row] = await db.select().from(users).where(eq(users.id, userId));
      expect(row?.passwordHash).toBe(hashes[done.indexOf(true)]);
    }
  });
});
