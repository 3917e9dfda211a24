import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { refreshFamilies, refreshTokens, sessions } from "#drizzle/schema.ts";
import { openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const bearer = (accessToken: string) => openBrowser({ authorization: `Bearer ${accessToken}` });

async function withTokens() {
  const { credentials, user } = await openSignedIn();
  const { trpc, browser } = openBrowser();
  const tokens = await trpc.auth.tokens.mutate(credentials);
  expect(browser.setCookies).toEqual([]);
  return { credentials, user, trpc, tokens };
}

describe("token pairs", () => {
  test("accept the access token for an hour; use does not prolong it", async () => {
    const { user, tokens } = await withTokens();
    expect(tokens.user).toEqual(user);
    const inMs = Date.parse(tokens.expiresAt) - Date.now();
    expect(inMs).toBeGreaterThan(3_500_000);
    expect(inMs).toBeLessThanOrEqual(3_600_000);
    const { trpc, browser } = bearer(tokens.accessToken);
    expect(await trpc.auth.session.query()).toEqual({ user });
    expect(browser.setCookies).toEqual([]);
    const rows = await db.select().from(sessions).where(eq(sessions.userId, user.id));
    const access = rows.find(({ familyId }) => familyId !== null);
    expect(access?.expiresAt.toISOString()).toBe(tokens.expiresAt);
  });

  test("are replaced by a refresh, which uses up the old refresh token", async () => {
    const { user, trpc, tokens } = await withTokens();
    const next = await trpc.auth.refresh.mutate({ refreshToken: tokens.refreshToken });
    expect(next.accessToken).not.toBe(tokens.accessToken);
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    for (const { accessToken } of [tokens, next])
      expect((await bearer(accessToken).trpc.auth.session.query()).user).toEqual(user);
    const third = await trpc.auth.refresh.mutate({ refreshToken: next.refreshToken });
    expect((await bearer(third.accessToken).trpc.auth.session.query()).user).toEqual(user);
  });

  test("end as a family, and only that family, when a used refresh token is used again", async () => {
    const { credentials, user, trpc, tokens } = await withTokens();
    const other = await trpc.auth.tokens.mutate(credentials);
    const { refreshToken } = tokens;
    const next = await trpc.auth.refresh.mutate({ refreshToken });
    const third = await trpc.auth.refresh.mutate(next);
    expect(await getErrorCode(trpc.auth.refresh.mutate({ refreshToken }))).toBe("token_invalid");
    for (const { accessToken } of [tokens, next, third])
      expect((await bearer(accessToken).trpc.auth.session.query()).user).toBeNull();
    expect(await getErrorCode(trpc.auth.refresh.mutate(third))).toBe("token_invalid");
    expect((await bearer(other.accessToken).trpc.auth.session.query()).user).toEqual(user);
    await trpc.auth.refresh.mutate(other);
  });

  test("end at once when another address uses the same refresh token", async () => {
    const { trpc, tokens } = await withTokens();
    await trpc.auth.refresh.mutate(tokens);
    const elsewhere = openBrowser({ "cf-connecting-ip": "192.0.2.77" }).trpc;
    expect(await getErrorCode(elsewhere.auth.refresh.mutate(tokens))).toBe("token_invalid");
    expect((await bearer(tokens.accessToken).trpc.auth.session.query()).user).toBeNull();
  });

  test("end at sign-out", async () => {
    const { trpc, tokens } = await withTokens();
    await bearer(tokens.accessToken).trpc.auth.signOut.mutate();
    expect((await bearer(tokens.accessToken).trpc.auth.session.query()).user).toBeNull();
    expect(await getErrorCode(trpc.auth.refresh.mutate(tokens))).toBe("token_invalid");
  });

  test("are stored only as hashes", async () => {
    const { user, trpc, tokens } = await withTokens();
    const [family] = await db
      .select()
      .from(refreshFamilies)
      .where(eq(refreshFamilies.userId, user.id));
    const ofFamily = eq(refreshTokens.familyId, family?.id ?? "");
    const rows = [
      ...(await db.select().from(refreshTokens).where(ofFamily)),
      ...(await db.select().from(sessions).where(eq(sessions.userId, user.id))),
    ];
    const text = JSON.stringify(rows);
    expect(text).not.toContain(tokens.accessToken);
    expect(text).not.toContain(tokens.refreshToken);
    const [stored] = await db.select().from(refreshTokens).where(ofFamily);
    const stolen = trpc.auth.refresh.mutate({ refreshToken: stored?.tokenHash ?? "" });
    expect(await getErrorCode(stolen)).toBe("token_invalid");
    for (const { id } of await db.select().from(sessions).where(eq(sessions.userId, user.id)))
      expect((await bearer(id).trpc.auth.session.query()).user).toBeNull();
  });
});
