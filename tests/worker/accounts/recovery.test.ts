import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { oneTimeTokens, sessions } from "#drizzle/schema.ts";
import { openBrowser, openSignedUp, origin } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { parseLink, waitForMail } from "#tests/worker/support/outbox.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const password = "battery staple";

/** A signed-in user and their recovery link. */
async function forgotten() {
  const owner = await openSignedUp();
  const { email } = owner.credentials;
  await openBrowser().trpc.auth.forgotPassword.mutate({ email: ` ${email.toUpperCase()} ` });
  // The first mail is the confirmation link.
  const { link, tokenHash } = parseLink(await waitForMail(email, 2));
  return { owner, email, link, verification: { type: "recovery" as const, tokenHash } };
}

describe("a recovery", () => {
  test("sends a link to the page that expires after an hour", async () => {
    const { owner, link, verification } = await forgotten();
    expect(link.origin + link.pathname).toBe(`${origin}/reset-password`);
    expect(link.searchParams.get("type")).toBe("recovery");
    const rows = await db
      .select()
      .from(oneTimeTokens)
      .where(eq(oneTimeTokens.userId, owner.user.id));
    const row = rows.find(({ type }) => type === "recovery");
    expect((row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(3_600_000);
    expect(JSON.stringify(rows)).not.toContain(verification.tokenHash);
  });

  test("replaces the password and ends every session", async () => {
    const { owner, email, verification } = await forgotten();
    const script = await openBrowser().trpc.auth.tokens.mutate(owner.credentials);
    const { trpc, browser } = openBrowser();
    const recovery = await trpc.auth.verify.mutate(verification);
    expect(recovery).toEqual({ type: "recovery", email, expiresAt: expect.any(String) });
    expect(Date.parse(recovery.type === "recovery" ? recovery.expiresAt : "")).toBeGreaterThan(
      Date.now() + 14 * 60_000,
    );
    expect(await trpc.auth.setPassword.mutate({ password })).toEqual({ email });
    expect(browser.cookie).toMatch(/^dualect_device=[^;]+$/);

    expect((await owner.trpc.auth.session.query()).user).toBeNull();
    const bearer = openBrowser({ authorization: `Bearer ${script.accessToken}` });
    expect((await bearer.trpc.auth.session.query()).user).toBeNull();
    const { refreshToken } = script;
    expect(await getErrorCode(bearer.trpc.auth.refresh.mutate({ refreshToken }))).toBe(
      "token_invalid",
    );

    expect(await getErrorCode(trpc.auth.signIn.mutate(owner.credentials))).toBe(
      "credentials_invalid",
    );
    const { user } = await trpc.auth.signIn.mutate({ email, password });
    // The link was sent to the address, so its use confirms the address.
    expect(user).toEqual({ ...owner.user, emailVerified: true });
  });

  test("invalidates an unused confirmation link", async () => {
    const owner = await openSignedUp();
    const { email } = owner.credentials;
    const { tokenHash: old } = parseLink(await waitForMail(email));
    const { trpc } = openBrowser();
    await trpc.auth.forgotPassword.mutate({ email });
    const { tokenHash } = parseLink(await waitForMail(email, 2));
    await trpc.auth.verify.mutate({ type: "recovery", tokenHash });
    await trpc.auth.setPassword.mutate({ password });
    const holder = openBrowser();
    const answer = holder.trpc.auth.verify.mutate({ type: "signup", tokenHash: old });
    expect(await getErrorCode(answer)).toBe("token_invalid");
    expect(holder.browser.setCookies).toEqual([]);
  });

  test("may set a new password once, and do nothing else", async () => {
    const { owner, verification } = await forgotten();
    const { trpc, browser } = openBrowser();
    await trpc.auth.verify.mutate(verification);
    expect(browser.setCookies).toHaveLength(1);
    expect(browser.cookie).toMatch(/^dualect_recovery=[\w-]{43}$/);
    expect(browser.setCookies[0]).toMatch(/HttpOnly/);
    expect(browser.setCookies[0]).toMatch(/SameSite=Lax/);
    const secret = browser.cookie?.split("=")[1] ?? "";
    const holders = [
      trpc,
      openBrowser({ authorization: `Bearer ${secret}` }).trpc,
      openBrowser({ cookie: `dualect_session=${secret}` }).trpc,
    ];
    for (const holder of holders) {
      expect(await holder.auth.session.query()).toEqual({ user: null });
      const codes = await Promise.all([
        getErrorCode(holder.lectures.list.query({})),
        getErrorCode(
          holder.auth.changePassword.mutate({
            currentPassword: owner.credentials.password,
            newPassword: password,
          }),
        ),
        getErrorCode(holder.auth.deleteAccount.mutate({ confirmation: "delete" })),
      ]);
      expect(codes).toEqual(Array(3).fill("unauthenticated"));
    }
    const kept = openBrowser({ cookie: browser.cookie ?? "" });
    await trpc.auth.setPassword.mutate({ password });
    const again = kept.trpc.auth.setPassword.mutate({ password: "another one" });
    expect(await getErrorCode(again)).toBe("token_invalid");
    await trpc.auth.signIn.mutate({ ...owner.credentials, password });
  });

  test("succeeds for only one of two concurrent calls", async () => {
    const { verification, email } = await forgotten();
    const { trpc } = openBrowser();
    await trpc.auth.verify.mutate(verification);
    const passwords = ["password one", "password two"];
    const codes = await Promise.all(
      passwords.map((one) => getErrorCode(trpc.auth.setPassword.mutate({ password: one }))),
    );
    expect([...codes].sort()).toEqual(["no error", "token_invalid"]);
    const signedIn = await Promise.all(
      passwords.map((one) =>
        getErrorCode(openBrowser().trpc.auth.signIn.mutate({ email, password: one })),
      ),
    );
    expect(signedIn).toEqual(
      codes.map((code) => (code === "no error" ? "no error" : "credentials_invalid")),
    );
  });

  test("cannot be replaced by a session: without a link no password is set", async () => {
    const { trpc } = await openSignedUp();
    expect(await getErrorCode(trpc.auth.setPassword.mutate({ password }))).toBe("token_invalid");
  });

  test("expires, and use does not prolong it", async () => {
    const { owner, verification } = await forgotten();
    const { trpc } = openBrowser();
    await trpc.auth.verify.mutate(verification);
    const ofOwner = eq(sessions.userId, owner.user.id);
    const expireIn = (ms: number) =>
      db
        .update(sessions)
        .set({ expiresAt: new Date(Date.now() + ms) })
        .where(ofOwner);
    await expireIn(60_000);
    await trpc.auth.session.query();
    const rows = await db.select().from(sessions).where(ofOwner);
    const row = rows.find(({ scope }) => scope === "recovery");
    expect(row?.expiresAt.getTime()).toBeLessThan(Date.now() + 61_000);
    await expireIn(-1);
    expect(await getErrorCode(trpc.auth.setPassword.mutate({ password }))).toBe("token_invalid");
  });
});

describe("invalid recovery links", () => {
  test("include forged links and links of the other type", async () => {
    const { verification } = await forgotten();
    const { tokenHash } = verification;
    const { trpc } = openBrowser();
    for (const wrong of [
      { ...verification, tokenHash: `${tokenHash}A` },
      { type: "signup" as const, tokenHash },
    ])
      expect(await getErrorCode(trpc.auth.verify.mutate(wrong))).toBe("token_invalid");
    await trpc.auth.verify.mutate(verification);
    expect(await getErrorCode(trpc.auth.verify.mutate(verification))).toBe("token_invalid");
  });

  test("do not include another user's link, which recovers only that user's account", async () => {
    const { owner, email, verification } = await forgotten();
    const other = await openSignedUp();
    await other.trpc.auth.verify.mutate(verification);
    expect((await other.trpc.auth.session.query()).user?.id).toBe(other.user.id);
    expect(await other.trpc.auth.setPassword.mutate({ password })).toEqual({ email });
    expect((await other.trpc.auth.session.query()).user?.id).toBe(other.user.id);
    const { trpc } = openBrowser();
    await trpc.auth.signIn.mutate(other.credentials);
    expect(await getErrorCode(trpc.auth.signIn.mutate(owner.credentials))).toBe(
      "credentials_invalid",
    );
  });
});

describe("a token pair in the hash of an address", () => {
  test("continues a recovery in another browser", async () => {
    const { owner, email, verification } = await forgotten();
    const script = openBrowser();
    const verified = await script.trpc.auth.verify.mutate({ ...verification, tokens: true });
    if (verified.type !== "recovery" || !verified.tokens) throw new Error("no tokens");
    expect(script.browser.setCookies).toEqual([]);
    const { accessToken, refreshToken } = await script.trpc.auth.refresh.mutate(verified.tokens);

    const { trpc } = openBrowser();
    for (const wrong of [
      { accessToken, refreshToken: verified.tokens.refreshToken },
      { accessToken: `${accessToken}x`, refreshToken },
      { accessToken, refreshToken: `${refreshToken}x` },
      { accessToken: refreshToken, refreshToken: accessToken },
    ])
      expect(await getErrorCode(trpc.auth.setSession.mutate(wrong))).toBe("token_invalid");

    const recovery = await trpc.auth.setSession.mutate({ accessToken, refreshToken });
    expect(recovery.email).toBe(email);
    expect(await trpc.auth.session.query()).toEqual({ user: null });
    await trpc.auth.setPassword.mutate({ password });
    await trpc.auth.signIn.mutate({ ...owner.credentials, password });
    const later = openBrowser().trpc.auth.setSession.mutate({ accessToken, refreshToken });
    expect(await getErrorCode(later)).toBe("token_invalid");
  });

  test("is refused if it is a sign-in: a link must not sign anybody in to another account", async () => {
    const { credentials } = await openSignedUp();
    const { trpc, browser } = openBrowser();
    const tokens = await trpc.auth.tokens.mutate(credentials);
    expect(await getErrorCode(trpc.auth.setSession.mutate(tokens))).toBe("token_invalid");
    expect(browser.setCookies).toEqual([]);
  });
});
