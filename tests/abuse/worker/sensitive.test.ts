import { env } from "cloudflare:test";
import { eq, type SQL } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { refreshFamilies, sessions, users } from "#drizzle/schema.ts";
import { recentSignInMs } from "#server/auth/recent-sign-in.ts";
import {
  createCredentials,
  openBrowser,
  openSignedIn,
  openSignedUp,
} from "#tests/worker/support/browser.ts";
import { getErrorCode, getErrorData } from "#tests/worker/support/errors.ts";
import { callUntilLimited } from "#tests/worker/support/limits.ts";
import { listMails, parseLink, waitForMail } from "#tests/worker/support/outbox.ts";
import { subscribe } from "#tests/worker/support/stripe.ts";
import { getServices } from "#worker/services.ts";

const { db, env: settings } = getServices(env);
const newPassword = "battery staple";
const confirmation = "delete";

/** Makes the user's sign-ins more than ten minutes old. */
async function passTime(userId: string): Promise<void> {
  const createdAt = new Date(Date.now() - recentSignInMs - 1_000);
  await db.update(sessions).set({ createdAt }).where(eq(sessions.userId, userId));
  await db.update(refreshFamilies).set({ createdAt }).where(eq(refreshFamilies.userId, userId));
}

const isThere = async (condition: SQL) => (await db.$count(users, condition)) === 1;

describe("a stolen session", () => {
  it("cannot delete the account without the password", async () => {
    const { trpc, user, credentials } = await openSignedIn();
    await passTime(user.id);
    const ofUser = eq(users.id, user.id);
    expect(await getErrorCode(trpc.auth.deleteAccount.mutate({ confirmation }))).toBe(
      "reauthentication_required",
    );
    const wrong = { confirmation, password: "wrong horse" };
    expect(await getErrorCode(trpc.auth.deleteAccount.mutate(wrong))).toBe(
      "current_password_invalid",
    );
    expect(await isThere(ofUser)).toBe(true);
    await trpc.auth.deleteAccount.mutate({ confirmation, password: credentials.password });
    expect(await isThere(ofUser)).toBe(false);
  });

  it("does not become recent by a token refresh", async () => {
    const { user, credentials } = await openSignedIn();
    const pair = await openBrowser().trpc.auth.tokens.mutate(credentials);
    await passTime(user.id);
    const { accessToken } = await openBrowser().trpc.auth.refresh.mutate(pair);
    const { trpc } = openBrowser({ authorization: `Bearer ${accessToken}` });
    expect(await getErrorCode(trpc.auth.deleteAccount.mutate({ confirmation }))).toBe(
      "reauthentication_required",
    );
    const fresh = await openBrowser().trpc.auth.tokens.mutate(credentials);
    const bearer = openBrowser({ authorization: `Bearer ${fresh.accessToken}` });
    await bearer.trpc.auth.deleteAccount.mutate({ confirmation });
    expect(await isThere(eq(users.id, user.id))).toBe(false);
  });

  it("cannot change the paid plan without the password", async () => {
    const account = await openSignedIn();
    await subscribe(account);
    const { trpc, user, credentials } = account;
    const priceId = settings.billing.prices.premium.year;
    await trpc.subscriptions.downgrade.mutate();
    await passTime(user.id);
    const change = { priceId, change: true };
    expect(await getErrorCode(trpc.subscriptions.checkout.mutate(change))).toBe(
      "reauthentication_required",
    );
    expect(await getErrorCode(trpc.subscriptions.resume.mutate())).toBe(
      "reauthentication_required",
    );
    const { password } = credentials;
    await trpc.subscriptions.resume.mutate({ password });
    expect(await trpc.subscriptions.checkout.mutate({ ...change, password })).toMatchObject({
      kind: "changed",
      tier: "premium",
    });
  });

  it("cannot guess more passwords there than at the password change", async () => {
    const { trpc, user } = await openSignedIn();
    await passTime(user.id);
    const refusals = await callUntilLimited(10, (n) => {
      const password = `guess ${n}`;
      return n % 2
        ? trpc.auth.deleteAccount.mutate({ confirmation, password })
        : trpc.auth.changePassword.mutate({ currentPassword: password, newPassword });
    });
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited" });
  });
});

describe("notices by mail", () => {
  it("report a changed password, a reset password and a deleted account", async () => {
    const { trpc, browser, credentials } = await openSignedUp();
    const { email } = credentials;
    const { tokenHash } = parseLink(await waitForMail(email));
    await trpc.auth.verify.mutate({ type: "signup", tokenHash });
    const currentPassword = credentials.password;
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
    expect((await waitForMail(email, 2)).subject).toContain("Your password was changed");

    await trpc.auth.forgotPassword.mutate({ email });
    const link = parseLink(await waitForMail(email, 3));
    const { trpc: reset } = openBrowser();
    await reset.auth.verify.mutate({ type: "recovery", tokenHash: link.tokenHash });
    await reset.auth.setPassword.mutate({ password: "another staple" });
    expect((await waitForMail(email, 4)).subject).toContain("A new password was set");

    await trpc.auth.signIn.mutate({ email, password: "another staple" });
    await trpc.auth.deleteAccount.mutate({ confirmation });
    expect(browser.sessionCookie).toBeNull();
    expect((await waitForMail(email, 5)).subject).toContain("Your account was deleted");
  });

  it("do not go to unconfirmed addresses", async () => {
    const { trpc, credentials } = await openSignedUp();
    await waitForMail(credentials.email);
    const currentPassword = credentials.password;
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
    await trpc.auth.deleteAccount.mutate({ confirmation });
    expect(await listMails(credentials.email)).toHaveLength(1);
  });
});

describe("one of the most common passwords", () => {
  const common = "PassWord1";
  const refused = { appCode: "validation_failed", messageKey: "validation.passwordCommon" };

  it("is refused at sign-up and as a new password", async () => {
    const { trpc, credentials } = await openSignedUp();
    const signUp = openBrowser().trpc.auth.signUp.mutate({
      ...createCredentials(),
      password: common,
    });
    expect(await getErrorData(signUp)).toMatchObject(refused);
    const currentPassword = credentials.password;
    const change = trpc.auth.changePassword.mutate({ currentPassword, newPassword: common });
    expect(await getErrorData(change)).toMatchObject(refused);

    const { trpc: recovering } = openBrowser();
    await recovering.auth.forgotPassword.mutate(credentials);
    const { tokenHash } = parseLink(await waitForMail(credentials.email, 2));
    await recovering.auth.verify.mutate({ type: "recovery", tokenHash });
    expect(
      await getErrorData(recovering.auth.setPassword.mutate({ password: common })),
    ).toMatchObject(refused);
    // A refusal does not use up the link.
    await recovering.auth.setPassword.mutate({ password: newPassword });
  });

  it("still signs in to an account that has it already", async () => {
    const { user, credentials } = await openSignedIn();
    const { hasher } = getServices(env);
    const passwordHash = await hasher.hash(common);
    await db.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await openBrowser().trpc.auth.signIn.mutate({ ...credentials, password: common });
  });
});
