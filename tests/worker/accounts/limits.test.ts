import { describe, expect, test } from "vitest";
import { createCredentials, openBrowser, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { callUntilLimited } from "#tests/worker/support/limits.ts";

describe("limits", () => {
  /** Of an account: 20, and as many again in the clock's next minute. Without it, `until` makes 61 calls. */
  const accountMax = 40;
  /** 30 is the largest limit. */
  const until = (attempt: (n: number) => Promise<unknown>) => callUntilLimited(30, attempt);
  const from = (n: number) => openBrowser({ "cf-connecting-ip": `203.0.113.${n}` }).trpc.auth;
  const network = () => {
    const own = Math.floor(Math.random() * 0xffff).toString(16);
    return (n: number) => openBrowser({ "cf-connecting-ip": `2001:db8:${own}:9::${n}` }).trpc.auth;
  };

  test.each([
    ["twenty wrong passwords for one account", "signIn"],
    ["signing up with one address", "signUp"],
    ["token pairs for one account", "tokens"],
  ] as const)("%s, from whatever network", async (_, name) => {
    const credentials = createCredentials();
    const refusals = await until((n) =>
      from(n)[name].mutate({ ...credentials, password: `guess ${n}` }),
    );
    expect(refusals.length).toBeGreaterThan(10);
    expect(refusals.length).toBeLessThanOrEqual(accountMax);
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
  });

  test("apply to wrong current passwords of an account", async () => {
    const { trpc } = await openSignedIn();
    const refusals = await until((n) =>
      trpc.auth.changePassword.mutate({ currentPassword: `guess ${n}`, newPassword: "any other" }),
    );
    expect(refusals.length).toBeLessThanOrEqual(accountMax);
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
  });

  test("apply to forgotten passwords by account and by network", async () => {
    const { email } = createCredentials();
    const ofAccount = await until((n) => from(n).forgotPassword.mutate({ email }));
    expect(ofAccount.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
    const at = network();
    const ofNetwork = await until((n) => at(n).forgotPassword.mutate(createCredentials()));
    expect(ofNetwork.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
  });

  test("apply to guesses of links and tokens by network", async () => {
    const attempts = [
      (auth: ReturnType<typeof from>) => auth.verify.mutate({ type: "signup", tokenHash: "x" }),
      (auth: ReturnType<typeof from>) => auth.refresh.mutate({ refreshToken: "x" }),
      (auth: ReturnType<typeof from>) =>
        auth.setSession.mutate({ accessToken: "x", refreshToken: "x" }),
    ];
    for (const attempt of attempts) {
      const at = network();
      const refusals = await until((n) => attempt(at(n)));
      expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
    }
  });

  test("apply to guests' tickets by network", async () => {
    const own = Math.floor(Math.random() * 0xffff).toString(16);
    const refusals = await until((n) =>
      openBrowser({
        "cf-connecting-ip": `2001:db8:${own}:a::${n}`,
      }).trpc.recording.guestTicket.mutate({ previous: null }),
    );
    expect(refusals.length).toBeGreaterThan(20);
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited", retryAfterSeconds: 60 });
  });

  test("count calls, not requests", async () => {
    const { email } = createCredentials();
    const codes: string[] = [];
    // 21 calls in three requests: at least eleven lie in one window, wherever it begins.
    for (const size of [10, 10, 1]) {
      const { trpc } = openBrowser();
      const batch = Array.from({ length: size }, () =>
        getErrorCode(trpc.auth.forgotPassword.mutate({ email })),
      );
      codes.push(...(await Promise.all(batch)));
    }
    expect(codes).toHaveLength(21);
    expect(codes).toContain("rate_limited");
  });
});
