import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { subscriptions, users } from "#drizzle/schema.ts";
import { deleteAccount } from "#server/auth/accounts.ts";
import { UnknownCustomer } from "#server/ports.ts";
import { openBrowser, openSignedIn, openSignedUp, origin } from "#tests/worker/support/browser.ts";
import { getErrorCode, getErrorData } from "#tests/worker/support/errors.ts";
import { parseLink, waitForMail } from "#tests/worker/support/outbox.ts";
import {
  addEverything,
  createMark,
  getTableName,
  sharedTables,
  tables,
  watchRows,
} from "#tests/worker/support/owned-rows.ts";
import { controlStripe, subscribe } from "#tests/worker/support/stripe.ts";
import { getServices } from "#worker/services.ts";

const { db, billing } = getServices(env);
const newPassword = "battery staple";

describe("changing the password", () => {
  test("requires the current password", async () => {
    const { trpc, credentials } = await openSignedUp();
    const wrong = { currentPassword: "wrong horse", newPassword };
    expect(await getErrorCode(trpc.auth.changePassword.mutate(wrong))).toBe(
      "current_password_invalid",
    );
    expect((await trpc.auth.session.query()).user).not.toBeNull();
    await openBrowser().trpc.auth.signIn.mutate(credentials);
    const empty = await getErrorData(
      trpc.auth.changePassword.mutate({ currentPassword: "", newPassword }),
    );
    expect(empty.messageKey).toBe("validation.currentPassword");
  });

  test("ends every other session and keeps this one", async () => {
    const { trpc, credentials, user } = await openSignedUp();
    const signup = parseLink(await waitForMail(credentials.email)).tokenHash;
    const elsewhere = openBrowser();
    await elsewhere.trpc.auth.signIn.mutate(credentials);
    const script = await elsewhere.trpc.auth.tokens.mutate(credentials);
    await elsewhere.trpc.auth.forgotPassword.mutate(credentials);
    const { tokenHash } = parseLink(await waitForMail(credentials.email, 2));

    const currentPassword = credentials.password;
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
    expect((await trpc.auth.session.query()).user).toEqual(user);
    expect((await elsewhere.trpc.auth.session.query()).user).toBeNull();
    const bearer = openBrowser({ authorization: `Bearer ${script.accessToken}` });
    expect((await bearer.trpc.auth.session.query()).user).toBeNull();
    expect(await getErrorCode(bearer.trpc.auth.refresh.mutate(script))).toBe("token_invalid");
    // An earlier reset link would undo the change.
    const { trpc: late } = openBrowser();
    const reset = late.auth.verify.mutate({ type: "recovery", tokenHash });
    expect(await getErrorCode(reset)).toBe("token_invalid");
    const confirmation = late.auth.verify.mutate({ type: "signup", tokenHash: signup });
    expect(await getErrorCode(confirmation)).toBe("token_invalid");
    expect(await getErrorCode(late.auth.signIn.mutate(credentials))).toBe("credentials_invalid");
    await late.auth.signIn.mutate({ ...credentials, password: newPassword });
  });

  test("keeps the token family of a caller with tokens", async () => {
    const { trpc, credentials, user } = await openSignedIn();
    const script = await openBrowser().trpc.auth.tokens.mutate(credentials);
    const bearer = openBrowser({ authorization: `Bearer ${script.accessToken}` });
    const currentPassword = credentials.password;
    await bearer.trpc.auth.changePassword.mutate({ currentPassword, newPassword });
    expect((await bearer.trpc.auth.session.query()).user).toEqual(user);
    expect((await trpc.auth.session.query()).user).toBeNull();
    await bearer.trpc.auth.refresh.mutate(script);
  });

  test("succeeds for only one of two concurrent calls", async () => {
    const { trpc, credentials } = await openSignedIn();
    const currentPassword = credentials.password;
    const codes = await Promise.all(
      ["password one", "password two"].map((one) =>
        getErrorCode(trpc.auth.changePassword.mutate({ currentPassword, newPassword: one })),
      ),
    );
    expect(codes.sort()).toEqual(["current_password_invalid", "no error"]);
    expect((await trpc.auth.session.query()).user).not.toBeNull();
  });
});

test("hashes a password again at sign-in if its hash has other costs", async () => {
  const { user, credentials } = await openSignedIn();
  // Node's own argon2id of "correct horse", at m=8192, t=1.
  const cheap =
    "$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$+jQGvnLH9sd/RHpVFdneZ1pWEi8VDK30k/E/IE+o3IE";
  const ofUser = eq(users.id, user.id);
  await db.update(users).set({ passwordHash: cheap }).where(ofUser);
  const { trpc } = openBrowser();
  await getErrorCode(trpc.auth.signIn.mutate({ ...credentials, password: "wrong horse" }));
  const [still] = await db.select().from(users).where(ofUser);
  expect(still?.passwordHash).toBe(cheap);

  await trpc.auth.signIn.mutate(credentials);
  const [row] = await db.select().from(users).where(ofUser);
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await trpc.auth.signIn.mutate(credentials);
  const [same] = await db.select().from(users).where(ofUser);
  expect(same?.passwordHash).toBe(row?.passwordHash);
});

describe("deleting the account", () => {
  test.each(["", "deleted", "yes", "del ete"])(
    "refuses '%s' as a confirmation",
    async (confirmation) => {
      const { trpc } = await openSignedIn();
      const refusal = await getErrorData(trpc.auth.deleteAccount.mutate({ confirmation }));
      expect(refusal).toMatchObject({
        appCode: "validation_failed",
        messageKey: "validation.typeDelete",
      });
      expect((await trpc.auth.session.query()).user).not.toBeNull();
    },
  );

  /** A user with a paid plan at the embedded Stripe. */
  async function openPaid() {
    const account = await openSignedIn();
    const { customerId } = await subscribe(account);
    const live = () => billing.listSubscriptions({ customerId });
    expect(await live()).toHaveLength(1);
    return { ...account, customerId, live };
  }

  test("ends the paid plan first", async () => {
    const { trpc, user, live, customerId } = await openPaid();
    const { url } = await trpc.subscriptions.portal.mutate();
    expect(url).toContain("/stripe/portal/");
    await trpc.auth.deleteAccount.mutate({ confirmation: "delete" });
    expect(await live()).toEqual([]);
    expect(await db.$count(users, eq(users.id, user.id))).toBe(0);
    // The customer cannot buy anything any more.
    const key = crypto.randomUUID();
    expect(await billing.createCustomer({ userId: user.id, email: user.email, key })).not.toBe(
      customerId,
    );
    await expect(billing.openPortal({ customerId, returnUrl: origin })).rejects.toThrow(
      UnknownCustomer,
    );
  });

  test("deletes nothing while Stripe does not answer, and succeeds later", async () => {
    const { trpc, browser, user, live, customerId } = await openPaid();
    const readOwn = await watchRows(db, user.id);
    const before = await readOwn();
    const cookie = browser.cookie;
    const remove = () => getErrorCode(trpc.auth.deleteAccount.mutate({ confirmation: "delete" }));
    const match = `DELETE /v1/customers/${customerId}`;
    // Twice, because the client retries once.
    await controlStripe({ calls: { match, fail: 503, count: 2 } });
    expect(await remove()).toBe("unavailable");
    expect(await readOwn()).toEqual(before);
    expect(browser.cookie).toBe(cookie);
    expect(await live()).toHaveLength(1);

    // Stripe deleted the customer and its answer was lost, so the client's retry finds no customer.
    await controlStripe({ calls: { match, fail: "lose-answer", count: 1 } });
    expect(await remove()).toBe("no error");
    expect(await live()).toEqual([]);
    expect(await db.$count(users, eq(users.id, user.id))).toBe(0);
  });

  test("also deletes a customer that another tab creates meanwhile", async () => {
    const { trpc, user } = await openPaid();
    const row = eq(subscriptions.userId, user.id);
    const [before] = await db.select().from(subscriptions).where(row);
    const other = crypto.randomUUID();
    await db.update(subscriptions).set({ stripeCustomerId: other }).where(row);
    const was = before?.stripeCustomerId ?? null;
    expect(await deleteAccount(db, { userId: user.id, customerId: was })).toBe(false);
    expect(await db.$count(users, eq(users.id, user.id))).toBe(1);
    await trpc.auth.deleteAccount.mutate({ confirmation: "delete" });
    expect(await db.$count(users, eq(users.id, user.id))).toBe(0);
  });

  test("removes every row of the user in every table and no other user's row", async () => {
    const { trpc, browser, user, credentials } = await openSignedIn();
    const other = await openSignedIn();
    await addEverything(db, user.id, createMark());
    await addEverything(db, other.user.id, createMark());
    const readOwn = await watchRows(db, user.id);
    const readOthers = await watchRows(db, other.user.id);

    const before = await readOwn();
    // A new table must be filled by the test, or be listed as one without users' rows.
    expect(Object.keys(before).sort()).toEqual(
      tables
        .map(getTableName)
        .filter((name) => !sharedTables.includes(name))
        .sort(),
    );
    for (const [name, rows] of Object.entries(before))
      expect([name, rows.length]).not.toEqual([name, 0]);
    const others = await readOthers();

    await trpc.auth.deleteAccount.mutate({ confirmation: " Delete " });
    expect(browser.sessionCookie).toBeNull();
    for (const [name, rows] of Object.entries(await readOwn()))
      expect([name, rows]).toEqual([name, []]);
    expect(await readOthers()).toEqual(others);
    expect(await getErrorCode(trpc.auth.signIn.mutate(credentials))).toBe("credentials_invalid");
    expect((await trpc.auth.signUp.mutate(credentials)).user.id).not.toBe(user.id);
  });
});
