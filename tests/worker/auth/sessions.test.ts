import { env, SELF } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { profiles, sessions, users } from "#drizzle/schema.ts";
import {
  createCredentials,
  fromOwnPage,
  openBrowser,
  openSignedIn,
  origin,
} from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { callUntilLimited } from "#tests/worker/support/limits.ts";
import { productionSettings } from "#tests/worker/support/settings.ts";
import { app } from "#worker/http/app.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);

describe("accounts", () => {
  test("are created with a profile by signing up, which signs in", async () => {
    const { user, credentials, trpc } = await openSignedIn();
    expect(user).toEqual({
      id: expect.any(String),
      email: credentials.email,
      emailVerified: false,
    });
    expect(await trpc.auth.session.query()).toEqual({ user });
    expect(await trpc.profiles.get.query()).toEqual({ theme: "light" });
    const [row] = await db.select().from(users).where(eq(users.id, user.id));
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(await db.$count(profiles, eq(profiles.userId, user.id))).toBe(1);
  });

  test("are unique per address, regardless of case", async () => {
    const { credentials, user } = await openSignedIn();
    const { trpc } = openBrowser();
    const shouted = ` ${credentials.email.toUpperCase()} `;
    expect(await getErrorCode(trpc.auth.signUp.mutate({ ...credentials, email: shouted }))).toBe(
      "email_in_use",
    );
    const answer = await trpc.auth.signIn.mutate({ ...credentials, email: shouted });
    expect(answer).toEqual({ user });
  });

  test("refuse a wrong password and an unknown address with the same answer", async () => {
    const { credentials } = await openSignedIn();
    const { trpc, browser } = openBrowser();
    expect(
      await getErrorCode(trpc.auth.signIn.mutate({ ...credentials, password: "wrong horse" })),
    ).toBe("credentials_invalid");
    expect(await getErrorCode(trpc.auth.signIn.mutate(createCredentials()))).toBe(
      "credentials_invalid",
    );
    expect(browser.setCookies).toEqual([]);
  });

  test("limit the guesses of a network over all accounts", async () => {
    const refusals = await callUntilLimited(10, (n) =>
      openBrowser({ "cf-connecting-ip": `2001:db8:7:7::${n}` }).trpc.auth.signIn.mutate(
        createCredentials(),
      ),
    );
    const codes = refusals.map(({ appCode }) => appCode);
    expect(codes.slice(0, 10)).toEqual(Array(10).fill("credentials_invalid"));
    expect(codes.at(-1)).toBe("rate_limited");
  });
});

describe("sessions", () => {
  test("have an HttpOnly, SameSite cookie, and are stored as a hash", async () => {
    const { browser, user } = await openSignedIn();
    const [cookie = ""] = browser.setCookies;
    expect(cookie).toMatch(/^dualect_session=[a-z0-9]{40}; /);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect(cookie).toMatch(/Path=\//);
    expect(cookie).not.toMatch(/Domain/);
    const secret = cookie.slice("dualect_session=".length).split(";")[0] ?? "";
    const rows = await db.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(rows).toHaveLength(1);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
    expect(rows[0]?.id).toBe(Buffer.from(digest).toString("hex"));
  });

  test("have a Secure cookie with the __Host- prefix in production", async () => {
    const production = {
      ...env,
      ...productionSettings,
      LOCAL_STACK_URL: undefined,
      APP_ORIGIN: origin,
      APP_ENV: "production",
      BILLING_MODE: "live",
    };
    const response = await app.request(
      `${origin}/trpc/auth.signOut`,
      { method: "POST", headers: { ...fromOwnPage, "content-type": "application/json" } },
      production,
    );
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-dualect_session=;.*Secure/);
    expect(response.headers.get("set-cookie")).toMatch(/Path=\//);
  });

  test("are accepted as a bearer credential without an origin", async () => {
    const { browser, user } = await openSignedIn();
    const secret = browser.sessionCookie?.split("=")[1];
    const ask = (authorization: string) =>
      SELF.fetch(`${origin}/trpc/auth.session`, { headers: { authorization } }).then((r) =>
        r.json(),
      );
    expect(await ask(`Bearer ${secret}`)).toMatchObject({ result: { data: { user } } });
    expect(await ask(`Bearer ${secret}x`)).toMatchObject({ result: { data: { user: null } } });
    const renamed = await SELF.fetch(`${origin}/trpc/profiles.setTheme`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ theme: "dark" }),
    });
    expect(renamed.status).toBe(200);
  });

  test("are read from a valid bearer credential beside an expired cookie", async () => {
    const { browser, user } = await openSignedIn();
    const secret = browser.sessionCookie?.split("=")[1];
    const other = await openSignedIn();
    const authorization = `Bearer ${secret}`;
    const kept = openBrowser({ cookie: other.browser.cookie ?? "", authorization });
    expect((await kept.trpc.auth.session.query()).user).toEqual(other.user);
    await other.trpc.auth.signOut.mutate();
    // A cookie's session would be renewed in its second half.
    const expiresAt = new Date(Date.now() + 10 * 86_400_000);
    await db.update(sessions).set({ expiresAt }).where(eq(sessions.userId, user.id));
    expect((await kept.trpc.auth.session.query()).user).toEqual(user);
    expect(kept.browser.setCookies).toEqual([]);
  });

  test("end at sign-out for every holder of the cookie", async () => {
    const { browser, trpc, user } = await openSignedIn();
    const kept = openBrowser({ cookie: browser.cookie ?? "" });
    expect((await kept.trpc.auth.session.query()).user).toEqual(user);
    await trpc.auth.signOut.mutate();
    expect(browser.sessionCookie).toBeNull();
    expect((await kept.trpc.auth.session.query()).user).toBeNull();
    expect(await getErrorCode(kept.trpc.lectures.list.query({}))).toBe("unauthenticated");
    await trpc.auth.signOut.mutate();
  });

  test("end at a new sign-in or sign-up in the same browser, but not at a refused one", async () => {
    const { browser, trpc, user, credentials } = await openSignedIn();
    const first = openBrowser({ cookie: browser.cookie ?? "" });
    const wrong = trpc.auth.signIn.mutate({ ...credentials, password: "wrong horse" });
    expect(await getErrorCode(wrong)).toBe("credentials_invalid");
    expect(await getErrorCode(trpc.auth.signUp.mutate(credentials))).toBe("email_in_use");
    expect((await first.trpc.auth.session.query()).user).toEqual(user);

    await trpc.auth.signIn.mutate(credentials);
    expect((await first.trpc.auth.session.query()).user).toBeNull();
    const second = openBrowser({ cookie: browser.cookie ?? "" });
    expect((await second.trpc.auth.session.query()).user).toEqual(user);

    const other = await trpc.auth.signUp.mutate(createCredentials());
    expect((await second.trpc.auth.session.query()).user).toBeNull();
    expect((await trpc.auth.session.query()).user).toEqual(other.user);
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  });

  test("expire, or are prolonged with their cookie in their second half", async () => {
    const { trpc, browser, user } = await openSignedIn();
    const dayMs = 86_400_000;
    const expireIn = (ms: number) =>
      db
        .update(sessions)
        .set({ expiresAt: new Date(Date.now() + ms) })
        .where(eq(sessions.userId, user.id));

    await expireIn(20 * dayMs);
    const cookies = browser.setCookies.length;
    await trpc.auth.session.query();
    expect(browser.setCookies).toHaveLength(cookies);

    await expireIn(10 * dayMs);
    expect((await trpc.auth.session.query()).user).toEqual(user);
    expect(browser.setCookies).toHaveLength(cookies + 1);
    expect(browser.setCookies.at(-1)?.split(";")[0]).toBe(browser.sessionCookie);
    const [row] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(row?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * dayMs);

    await expireIn(-1);
    expect((await trpc.auth.session.query()).user).toBeNull();
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  });

  test("end 180 days after the sign-in even if they are used every day", async () => {
    const { trpc, browser, user } = await openSignedIn();
    const dayMs = 86_400_000;
    const ofUser = eq(sessions.userId, user.id);
    const begin = (daysAgo: number) =>
      db
        .update(sessions)
        .set({
          createdAt: new Date(Date.now() - daysAgo * dayMs),
          expiresAt: new Date(Date.now() + 5 * dayMs),
        })
        .where(ofUser);
    await begin(160);
    expect((await trpc.auth.session.query()).user).toEqual(user);
    const [row] = await db.select().from(sessions).where(ofUser);
    expect(row?.expiresAt.getTime()).toBe((row?.createdAt.getTime() ?? 0) + 180 * dayMs);
    // It cannot be prolonged further.
    const cookies = browser.setCookies.length;
    expect((await trpc.auth.session.query()).user).toEqual(user);
    expect(browser.setCookies).toHaveLength(cookies);
    await begin(181);
    await db
      .update(sessions)
      .set({ expiresAt: sql`created_at + interval '180 days'` })
      .where(ofUser);
    expect((await trpc.auth.session.query()).user).toBeNull();
  });
});
