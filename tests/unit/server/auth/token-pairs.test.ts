import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { refreshFamilies, sessions } from "#drizzle/schema.ts";
import { findRecoverySession, rotateRefreshToken, startFamily } from "#server/auth/token-pairs.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T12:00:00.000Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const [hourMs, dayMs, recoveryMs] = [3_600_000, 86_400_000, 900_000];

async function newFamily(scope: "full" | "recovery") {
  const db = database();
  const user = await addUser(db);
  const tokens = await startFamily(db, { userId: user.id, scope, now });
  const reused: string[] = [];
  const refresh = (refreshToken: string, at: Date, address: string | null = "address:1") =>
    rotateRefreshToken(db, {
      refreshToken,
      address,
      now: at,
      onReuse: () => reused.push(refreshToken),
    });
  return { db, user, tokens, refresh, reused };
}

describe("a token family", () => {
  test("expires 30 days after its last use, its access tokens after an hour", async () => {
    const { tokens, refresh } = await newFamily("full");
    expect(tokens.expiresAt).toBe(later(hourMs).toISOString());
    const second = await refresh(tokens.refreshToken, later(30 * dayMs - 1));
    expect(second.expiresAt).toBe(later(30 * dayMs - 1 + hourMs).toISOString());
    const late = refresh(second.refreshToken, later(60 * dayMs - 1));
    expect(await getErrorCode(late)).toBe("token_expired");
    await refresh(second.refreshToken, later(60 * dayMs - 2));
  });

  test("goes on when an answer is lost and the same caller asks again within 30 s", async () => {
    const { tokens, refresh, reused } = await newFamily("full");
    await refresh(tokens.refreshToken, later(1_000));
    await refresh(tokens.refreshToken, later(20_000));
    const third = await refresh(tokens.refreshToken, later(31_000));
    const next = await refresh(third.refreshToken, later(40_000));
    await refresh(next.refreshToken, later(dayMs));
    expect(reused).toEqual([]);
  });

  test.each([
    { title: "later than 30 s", address: "address:1", atMs: 31_001 },
    { title: "from another address", address: "address:2", atMs: 2_000 },
    { title: "from an unknown address", address: null, atMs: 2_000 },
  ])("ends when a used token is used again $title", async ({ address, atMs }) => {
    const { tokens, refresh, reused } = await newFamily("full");
    const next = await refresh(tokens.refreshToken, later(1_000));
    const again = refresh(tokens.refreshToken, later(atMs), address);
    expect(await getErrorCode(again)).toBe("token_invalid");
    expect(reused).toEqual([tokens.refreshToken]);
    const afterwards = refresh(next.refreshToken, later(atMs));
    expect(await getErrorCode(afterwards)).toBe("token_invalid");
  });

  test.each(["the first", "the second"])(
    "ends when %s of two answers was used, and then the other token or the old one is",
    async (used) => {
      for (const reuseOld of [true, false]) {
        const { tokens, refresh, reused } = await newFamily("full");
        const first = await refresh(tokens.refreshToken, later(1_000));
        const second = used === "the second" && (await refresh(tokens.refreshToken, later(2_000)));
        const current = second || first;
        await refresh(current.refreshToken, later(3_000));
        const replayed = reuseOld || !second ? tokens : first;
        const replay = refresh(replayed.refreshToken, later(4_000));
        expect(await getErrorCode(replay)).toBe("token_invalid");
        expect(reused).toEqual([replayed.refreshToken]);
      }
    },
  );

  test("ends when a used token is used again at any time, and reports it once", async () => {
    const { db, user, tokens, refresh, reused } = await newFamily("full");
    await refresh(tokens.refreshToken, later(1));
    const again = refresh(tokens.refreshToken, later(90 * dayMs));
    expect(await getErrorCode(again)).toBe("token_invalid");
    expect(reused).toEqual([tokens.refreshToken]);
    expect(await db.$count(refreshFamilies, eq(refreshFamilies.userId, user.id))).toBe(0);
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
    const third = refresh(tokens.refreshToken, later(2));
    expect(await getErrorCode(third)).toBe("token_invalid");
    expect(reused).toHaveLength(1);
  });

  test("of a recovery keeps its expiry and scope over refreshes", async () => {
    const { db, user, tokens, refresh } = await newFamily("recovery");
    expect(tokens.expiresAt).toBe(later(recoveryMs).toISOString());
    const second = await refresh(tokens.refreshToken, later(recoveryMs - 1));
    expect(second.expiresAt).toBe(tokens.expiresAt);
    const rows = await db.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(rows.map(({ scope }) => scope)).toEqual(["recovery", "recovery"]);
    const late = refresh(second.refreshToken, later(recoveryMs));
    expect(await getErrorCode(late)).toBe("token_expired");

    const pair = { accessToken: second.accessToken, refreshToken: second.refreshToken };
    expect(await findRecoverySession(db, { ...pair, now: later(recoveryMs - 1) })).toEqual({
      email: user.email,
      expiresAt: later(recoveryMs),
    });
    const tooLate = findRecoverySession(db, { ...pair, now: later(recoveryMs) });
    expect(await getErrorCode(tooLate)).toBe("token_expired");
  });
});
