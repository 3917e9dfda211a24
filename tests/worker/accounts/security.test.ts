import { createExecutionContext, env, SELF, waitOnExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { oneTimeTokens, sessions, users } from "#drizzle/schema.ts";
import {
  createCredentials,
  fromOwnPage,
  openBrowser,
  openSignedIn,
  openSignedUp,
  origin,
} from "#tests/worker/support/browser.ts";
import { getErrorCode, getErrorData } from "#tests/worker/support/errors.ts";
import { listMails, parseLink, waitForMail } from "#tests/worker/support/outbox.ts";
import { procedures } from "#tests/worker/tenancy/procedures.ts";
import { app } from "#worker/http/app.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);

const post = (path: string, body: unknown, headers: Record<string, string> = fromOwnPage) =>
  SELF.fetch(`${origin}/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("session fixation", () => {
  test("does not keep a planted session at sign-in", async () => {
    const planted = "a".repeat(40);
    const victim = openBrowser({ cookie: `dualect_session=${planted}` });
    const credentials = createCredentials();
    await victim.trpc.auth.signUp.mutate(credentials);
    expect(victim.browser.cookie).not.toContain(planted);
    const attacker = openBrowser({ cookie: `dualect_session=${planted}` });
    expect((await attacker.trpc.auth.session.query()).user).toBeNull();
  });

  test("ends an attacker's planted session at sign-in", async () => {
    const attacker = await openSignedIn();
    const { credentials, user } = await openSignedIn();
    const victim = openBrowser({ cookie: attacker.browser.cookie ?? "" });
    await victim.trpc.auth.signIn.mutate(credentials);
    expect((await victim.trpc.auth.session.query()).user).toEqual(user);
    expect((await attacker.trpc.auth.session.query()).user).toBeNull();
  });

  test("is prevented by a new secret for every sign-in", async () => {
    const { credentials, browser } = await openSignedIn();
    const again = openBrowser();
    await again.trpc.auth.signIn.mutate(credentials);
    expect(again.browser.cookie).not.toBe(browser.cookie);
  });
});

test("a stolen database signs nobody in: no stored value is accepted as a credential", async () => {
  const { user, credentials } = await openSignedUp();
  const { trpc } = openBrowser();
  await trpc.auth.forgotPassword.mutate(credentials);
  await waitForMail(credentials.email, 2);
  const stolen = [
    ...(await db.select({ text: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))),
    ...(await db
      .select({ text: oneTimeTokens.tokenHash })
      .from(oneTimeTokens)
      .where(eq(oneTimeTokens.userId, user.id))),
    ...(await db.select({ text: users.passwordHash }).from(users).where(eq(users.id, user.id))),
  ].map(({ text }) => text);
  expect(stolen).toHaveLength(4);
  for (const text of stolen) {
    for (const holder of [
      openBrowser({ cookie: `dualect_session=${text}` }),
      openBrowser({ cookie: `dualect_recovery=${text}` }),
      openBrowser({ authorization: `Bearer ${text}` }),
    ]) {
      expect((await holder.trpc.auth.session.query()).user).toBeNull();
      const set = holder.trpc.auth.setPassword.mutate({ password: "battery staple" });
      expect(await getErrorCode(set)).toBe("token_invalid");
    }
    for (const type of ["signup", "recovery"] as const)
      expect(await getErrorCode(trpc.auth.verify.mutate({ type, tokenHash: text }))).toBe(
        "token_invalid",
      );
    const signIn = trpc.auth.signIn.mutate({ ...credentials, password: text });
    expect(await getErrorCode(signIn)).toBe("credentials_invalid");
  }
});

describe("another site", () => {
  test.each(procedures.filter(({ type }) => type === "mutation").map(({ path }) => path))(
    "cannot call %s with the user's cookie",
    async (path) => {
      const { browser, trpc } = await openSignedIn();
      for (const headers of [
        { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
        { origin: "https://evil.test" },
        { "sec-fetch-site": "same-site" },
        {},
      ]) {
        const response = await post(path, {}, { ...headers, cookie: browser.cookie ?? "" });
        expect(response.status).toBe(403);
        expect(response.headers.getSetCookie()).toEqual([]);
      }
      expect((await trpc.auth.session.query()).user).not.toBeNull();
    },
  );

  test("cannot call a mutation by GET", async () => {
    const { browser, trpc } = await openSignedIn();
    for (const { path } of procedures.filter(({ type }) => type === "mutation")) {
      const response = await browser.fetch(`/trpc/${path}?input=%7B%7D`);
      expect([path, response.status]).toEqual([path, 405]);
    }
    expect((await trpc.auth.session.query()).user).not.toBeNull();
  });
});

describe("whether an address has an account", () => {
  const readAnswer = async (response: Response) => ({
    status: response.status,
    body: await response.text(),
    headers: [...response.headers]
      .filter(([name]) => name !== "x-request-id")
      .sort(([a], [b]) => a.localeCompare(b)),
  });

  test("is not revealed by signing in", async () => {
    const { credentials } = await openSignedIn();
    const attempt = async (email: string) =>
      readAnswer(await post("auth.signIn", { email, password: "wrong horse" }));
    expect(await attempt(credentials.email)).toEqual(await attempt(createCredentials().email));
    const tokens = async (email: string) =>
      readAnswer(await post("auth.tokens", { email, password: "wrong horse" }));
    expect(await tokens(credentials.email)).toEqual(await tokens(createCredentials().email));
  });

  test("is not revealed by asking for a new password, however often", async () => {
    const { credentials } = await openSignedUp();
    const unknown = createCredentials();
    const ask = async (email: string) => readAnswer(await post("auth.forgotPassword", { email }));
    for (let n = 1; n <= 7; n += 1) {
      const [first, second] = [await ask(credentials.email), await ask(unknown.email)];
      expect(first).toEqual(second);
      expect(first.status).toBe(200);
    }
    // The confirmation link, and at most five links an hour.
    await waitForMail(credentials.email, 6);
    expect(await listMails(unknown.email)).toEqual([]);
  });
});

describe("passwords", () => {
  const long = "语".repeat(1_366);

  test("of more than 4,096 bytes are refused everywhere before they are hashed", async () => {
    const { trpc, credentials } = await openSignedIn();
    for (const password of [long, "x".repeat(1_048_576)]) {
      const wrong = { ...credentials, password };
      const refusals = [
        await getErrorData(trpc.auth.signIn.mutate(wrong)),
        await getErrorData(trpc.auth.signUp.mutate({ ...createCredentials(), password })),
        await getErrorData(trpc.auth.tokens.mutate(wrong)),
        await getErrorData(
          trpc.auth.changePassword.mutate({ currentPassword: password, newPassword: "battery" }),
        ),
        await getErrorData(
          trpc.auth.changePassword.mutate({
            currentPassword: credentials.password,
            newPassword: password,
          }),
        ),
      ];
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ messageKey: "validation.passwordMax" });
    }
  });

  test("of 4,096 bytes, also beyond ASCII, are accepted in full", async () => {
    const { trpc } = openBrowser();
    const credentials = { ...createCredentials(), password: `${"语".repeat(1_365)}x` };
    await trpc.auth.signUp.mutate(credentials);
    await trpc.auth.signIn.mutate(credentials);
    const close = { ...credentials, password: `${"语".repeat(1_365)}y` };
    expect(await getErrorCode(trpc.auth.signIn.mutate(close))).toBe("credentials_invalid");
  });
});

describe("values of the wrong type", () => {
  test.each([
    ["auth.signIn", { email: ["a@b.test"], password: "secret" }],
    ["auth.signIn", { email: { $ne: null }, password: { $ne: null } }],
    ["auth.signUp", null],
    ["auth.verify", { type: "admin", tokenHash: "x" }],
    ["auth.verify", { type: "signup", tokenHash: ["x"] }],
    ["auth.verify", { type: "signup", tokenHash: "x".repeat(513) }],
    ["auth.refresh", { refreshToken: 1 }],
    ["auth.forgotPassword", { email: "nobody" }],
    ["auth.forgotPassword", "somebody@example.org"],
  ])("are refused by %s: %j", async (path, body) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('"appCode":"validation_failed"');
  });

  test.each([
    { cookie: "dualect_session=%zz; dualect_recovery=%" },
    { cookie: "=; ;;; dualect_session" },
    { cookie: `dualect_session=${"x".repeat(8_000)}` },
    { authorization: "Basic YTpi" },
    { authorization: "Bearer" },
    { authorization: `Bearer ${"x".repeat(8_000)}` },
  ])("are ignored as credentials: %j", async (headers) => {
    const response = await SELF.fetch(`${origin}/trpc/auth.session`, { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ result: { data: { user: null } } });
  });
});

test("sends the headers of all answers with refusals, too", async () => {
  const expected = (await SELF.fetch(`${origin}/trpc/site.info`)).headers;
  const names = [
    "content-security-policy",
    "strict-transport-security",
    "x-content-type-options",
    "permissions-policy",
    "referrer-policy",
    "x-frame-options",
    "cache-control",
  ];
  const json = { "content-type": "application/json" };
  const send = (headers: Record<string, string>, body: string, path = "auth.signIn") =>
    SELF.fetch(`${origin}/trpc/${path}`, { method: "POST", headers, body });
  const refusals = [
    await send({ ...fromOwnPage, ...json }, "{"),
    await send({ ...fromOwnPage, ...json }, JSON.stringify(createCredentials())),
    await send({ ...json, origin: "https://evil.test" }, "{}"),
    await send({ ...fromOwnPage, ...json }, "{}", "auth.nothing"),
    await send({ ...fromOwnPage, ...json }, `"${"x".repeat(5 * 1024 * 1024)}"`),
    await send({ ...fromOwnPage, "content-type": "text/plain" }, "{}"),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 401, 403, 404, 413, 415]);
  for (const { headers } of refusals)
    for (const name of names) {
      expect(headers.get(name)).toBeTruthy();
      expect([name, headers.get(name)]).toEqual([name, expected.get(name)]);
    }
});

test("links lead to the configured origin, whatever host a request names", async () => {
  const { credentials } = await openSignedUp();
  const configured = { ...env, APP_ORIGIN: "https://dualect.example.org" };
  const context = createExecutionContext();
  const evil = "https://evil.test";
  const response = await app.request(
    `${evil}/trpc/auth.forgotPassword`,
    {
      method: "POST",
      headers: {
        origin: evil,
        "x-forwarded-host": "evil.test",
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
      },
      body: JSON.stringify({ email: credentials.email }),
    },
    configured,
    context,
  );
  expect(response.status).toBe(200);
  await waitOnExecutionContext(context);
  const mail = await waitForMail(credentials.email, 2);
  expect(parseLink(mail).link.origin).toBe("https://dualect.example.org");
  expect(mail.html + mail.text).not.toContain("evil.test");
});
