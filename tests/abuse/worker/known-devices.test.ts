import { describe, expect, it } from "vitest";
import { createCredentials, openBrowser, openSignedUp } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { callUntilLimited } from "#tests/worker/support/limits.ts";
import { lockOut, openRecovery, wrongPassword } from "#tests/worker/support/lockout.ts";

const newPassword = "battery staple";

describe("a known device", () => {
  it("has a separate limit of attempts", async () => {
    const { trpc, credentials } = await openSignedUp();
    const refusals = await callUntilLimited(10, (n) =>
      trpc.auth.signIn.mutate(wrongPassword(credentials.email, n)),
    );
    expect(refusals.at(-1)).toMatchObject({ appCode: "rate_limited" });
    expect(refusals.map(({ appCode }) => appCode).slice(0, 10)).toEqual(
      Array(10).fill("credentials_invalid"),
    );
    // The account's other attempts are not counted.
    await openBrowser().trpc.auth.signIn.mutate(credentials);
  });

  it("is known only for the accounts that signed in there", async () => {
    const victim = await openSignedUp();
    const attacker = await openSignedUp();
    await lockOut(victim.credentials.email);
    const guess = wrongPassword(victim.credentials.email, 0);
    expect(await getErrorCode(attacker.trpc.auth.signIn.mutate(guess))).toBe("rate_limited");
    const nobody = createCredentials();
    await lockOut(nobody.email);
    expect(await getErrorCode(attacker.trpc.auth.signIn.mutate(nobody))).toBe("rate_limited");
  });

  it("is unknown with an altered cookie or another device's", async () => {
    const { browser, credentials } = await openSignedUp();
    const other = await openSignedUp();
    const deviceIn = (lines: string[]) =>
      lines.map((line) => /dualect_device=([^;]+)/.exec(line)?.[1] ?? "").findLast(Boolean) ?? "";
    const [id, proof = ""] = deviceIn(browser.setCookies).split(".");
    const [otherId] = deviceIn(other.browser.setCookies).split(".");
    await lockOut(credentials.email);
    const signInWith = (value: string) =>
      getErrorCode(
        openBrowser({ cookie: `dualect_device=${value}` }).trpc.auth.signIn.mutate(credentials),
      );
    const altered = `${proof.startsWith("A") ? "B" : "A"}${proof.slice(1)}`;
    for (const value of [`${otherId}.${proof}`, `${id}.${altered}`, `${id}`, `${id}.`, "x.y"])
      expect([value, await signInWith(value)]).toEqual([value, "rate_limited"]);
    expect(await signInWith(`${id}.${proof}`)).toBe("no error");
  });

  it("is unknown after a new password was set elsewhere", async () => {
    const before = await openSignedUp();
    const credentials = { ...before.credentials, password: newPassword };
    const { trpc } = await openRecovery(credentials.email, 2);
    await trpc.auth.setPassword.mutate({ password: newPassword });
    await lockOut(credentials.email);
    expect(await getErrorCode(before.trpc.auth.signIn.mutate(credentials))).toBe("rate_limited");
    await trpc.auth.signIn.mutate(credentials);
  });
});
