import { env, SELF } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { oneTimeTokens, users } from "#drizzle/schema.ts";
import {
  createCredentials,
  openBrowser,
  openSignedUp,
  origin,
} from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { failMails, listMails, parseLink, waitForMail } from "#tests/worker/support/outbox.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);

/** A signed-in browser and its user's confirmation link. */
async function signedUp() {
  const testAccount = await openSignedUp();
  const { tokenHash } = parseLink(await waitForMail(testAccount.credentials.email));
  return { ...testAccount, tokenHash, verification: { type: "signup" as const, tokenHash } };
}

describe("sign-up, mail, confirmation", () => {
  test("sends a mail in both languages with the link, and stores only the link's hash", async () => {
    const { trpc } = openBrowser();
    const credentials = createCredentials();
    const answer = await trpc.auth.signUp.mutate(credentials);
    expect(answer).toMatchObject({ mailSent: true, user: { emailVerified: false } });

    const mail = await waitForMail(credentials.email);
    const { link, tokenHash, type } = parseLink(mail);
    expect(link.origin + link.pathname).toBe(`${origin}/email-confirmation`);
    expect(type).toBe("signup");
    expect(tokenHash).toMatch(/^[\w-]{43}$/);
    expect([...link.searchParams.keys()]).toEqual(["token_hash", "type"]);
    for (const words of ["Confirm your email address", "确认邮箱地址", credentials.email]) {
      expect(mail.html).toContain(words);
      expect(mail.text).toContain(words);
    }
    expect(mail.html).toContain(`href="${link.href.replace("&", "&amp;")}"`);

    const rows = await db
      .select()
      .from(oneTimeTokens)
      .where(eq(oneTimeTokens.userId, answer.user.id));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(tokenHash);
    const lifetime = (rows[0]?.expiresAt.getTime() ?? 0) - (rows[0]?.createdAt.getTime() ?? 0);
    expect(lifetime).toBe(24 * 3_600_000);
  });

  test("confirms the address once, and signs in a signed-out browser", async () => {
    const { user, verification } = await signedUp();
    const { trpc, browser } = openBrowser();
    const verified = { ...user, emailVerified: true };
    expect(await trpc.auth.verify.mutate(verification)).toEqual({
      type: "signup",
      user: verified,
      signedIn: true,
    });
    expect(await trpc.auth.session.query()).toEqual({ user: verified });
    expect(browser.setCookies).toHaveLength(1);

    for (const again of [openBrowser(), { trpc }])
      expect(await getErrorCode(again.trpc.auth.verify.mutate(verification))).toBe("token_invalid");
  });

  test("does not change the user of a signed-in browser", async () => {
    const owner = await signedUp();
    const before = owner.browser.cookie;
    const other = await openSignedUp();
    expect(await other.trpc.auth.verify.mutate(owner.verification)).toMatchObject({
      user: { id: owner.user.id },
      signedIn: false,
    });
    expect((await other.trpc.auth.session.query()).user?.id).toBe(other.user.id);
    expect((await owner.trpc.auth.session.query()).user?.emailVerified).toBe(true);
    expect(owner.browser.cookie).toBe(before);

    const same = await signedUp();
    const cookies = same.browser.setCookies.length;
    expect(await same.trpc.auth.verify.mutate(same.verification)).toMatchObject({ signedIn: true });
    expect(same.browser.setCookies).toHaveLength(cookies);
  });

  test("signs nobody in by a link to an address that is already confirmed", async () => {
    const { user, verification } = await signedUp();
    await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, user.id));
    const { trpc, browser } = openBrowser();
    expect(await trpc.auth.verify.mutate(verification)).toMatchObject({ signedIn: false });
    expect(browser.setCookies).toEqual([]);
    expect(await trpc.auth.session.query()).toEqual({ user: null });
  });

  test("succeeds for only one of two concurrent uses of a link", async () => {
    const { verification } = await signedUp();
    const codes = await Promise.all(
      [1, 2, 3].map(() => getErrorCode(openBrowser().trpc.auth.verify.mutate(verification))),
    );
    expect(codes.sort()).toEqual(["no error", "token_invalid", "token_invalid"]);
  });

  test("refuses forged and empty links, links of another type, and stolen hashes", async () => {
    const { user, tokenHash } = await signedUp();
    const [row] = await db.select().from(oneTimeTokens).where(eq(oneTimeTokens.userId, user.id));
    const { trpc, browser } = openBrowser();
    const forged = `${tokenHash.slice(0, -1)}${tokenHash.endsWith("A") ? "B" : "A"}`;
    for (const wrong of [forged, "", "语", tokenHash.toLowerCase(), row?.tokenHash ?? ""]) {
      const call = trpc.auth.verify.mutate({ type: "signup", tokenHash: wrong });
      expect(await getErrorCode(call)).toBe("token_invalid");
    }
    const foreign = trpc.auth.verify.mutate({ type: "recovery", tokenHash });
    expect(await getErrorCode(foreign)).toBe("token_invalid");
    expect(browser.setCookies).toEqual([]);
    const [account] = await db.select().from(users).where(eq(users.id, user.id));
    expect(account?.emailVerifiedAt).toBeNull();
  });
});

describe("a repeated request for a link", () => {
  test("replaces the previous link", async () => {
    const { trpc, credentials, verification } = await signedUp();
    expect(await trpc.auth.resendConfirmation.mutate()).toEqual({
      emailVerified: false,
      mailSent: true,
    });
    const { tokenHash } = parseLink(await waitForMail(credentials.email, 2));
    const { trpc: elsewhere } = openBrowser();
    expect(await getErrorCode(elsewhere.auth.verify.mutate(verification))).toBe("token_invalid");
    await elsewhere.auth.verify.mutate({ type: "signup", tokenHash });
    expect(await trpc.auth.resendConfirmation.mutate()).toEqual({
      emailVerified: true,
      mailSent: false,
    });
    expect(await listMails(credentials.email)).toHaveLength(2);
  });
});

describe("a failure of the mail service", () => {
  test.each([422, 500, "refuse"])("(%s) is reported, and the account remains", async (fail) => {
    const credentials = createCredentials();
    await failMails({ to: credentials.email, fail, count: 2 });
    const { trpc } = openBrowser();
    const { user, mailSent } = await trpc.auth.signUp.mutate(credentials);
    expect(mailSent).toBe(false);
    expect(await trpc.auth.session.query()).toEqual({ user });
    expect(await listMails(credentials.email)).toEqual([]);
    // A rejected mail is not retried, so one of the two failures is left.
    if (fail === 422) await trpc.auth.resendConfirmation.mutate();
    expect((await trpc.auth.resendConfirmation.mutate()).mailSent).toBe(true);
  });

  test.each(["lose-answer", "garbage", 503])(
    "(%s) is retried, and the mail arrives once",
    async (fail) => {
      const credentials = createCredentials();
      await failMails({ to: credentials.email, fail, count: 1 });
      const { mailSent } = await openBrowser().trpc.auth.signUp.mutate(credentials);
      expect(mailSent).toBe(true);
      expect(await listMails(credentials.email)).toHaveLength(1);
    },
  );
});

test("tells the page the address of the outbox", async () => {
  const info = await openBrowser().trpc.site.info.query();
  expect(info.standIns.mail).toBe(true);
  const outbox = await fetch(info.outboxUrl ?? "");
  expect(outbox.status).toBe(200);
  expect(await outbox.text()).toContain("stands in for the e-mail service");
  expect((await SELF.fetch(`${origin}/mail/index.html`)).status).toBe(404);
});
