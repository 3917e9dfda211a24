// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://dualect.example/" }
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readMailLink } from "#client/state/mail-link.ts";

const read = (path: string) => readMailLink(new URL(path, "https://dualect.example"));

describe("the link of a mail", () => {
  it.each(["/email-confirmation", "/verify", "/reset-password"])("is read on %s", (path) => {
    expect(read(`${path}?token_hash=secret&type=signup&from=mail`)).toEqual({
      link: { kind: "token", tokenHash: "secret", type: "signup" },
      cleanPath: `${path}?from=mail`,
    });
  });

  it("may carry a pair of tokens in the hash", () => {
    expect(
      read("/reset-password#access_token=one&refresh_token=two&expires_in=900&type=recovery"),
    ).toEqual({
      link: { kind: "pair", accessToken: "one", refreshToken: "two" },
      cleanPath: "/reset-password",
    });
  });

  it("without a type is left to the page to refuse", () => {
    expect(read("/verify?token_hash=secret")?.link).toMatchObject({ type: "" });
  });

  it.each([
    "#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired",
    "?error=access_denied&error_description=Email+link+is+invalid+or+has+expired&from=mail#",
  ])("may have been refused before it came here (%s)", (end) => {
    for (const path of ["/email-confirmation", "/verify", "/reset-password"]) {
      const found = read(path + end);
      expect(found?.link).toMatchObject({
        kind: "refused",
        message: expect.stringContaining("Email link is invalid or has expired"),
      });
      expect(found?.cleanPath).toBe(path + (end.includes("from") ? "?from=mail" : ""));
    }
    expect(read(`/${end}`)).toBeNull();
  });

  it.each([
    "/",
    "/auth?token_hash=secret&type=signup",
    "/record#access_token=one&refresh_token=two",
    "/reset-password",
    "/reset-password?token_hash=&type=recovery",
    "/reset-password#content",
  ])("is none in %s", (path) => {
    expect(read(path)).toBeNull();
  });

  it("removes both tokens of a pair from the address", () => {
    expect(read("/reset-password#access_token=one")).toEqual({
      link: { kind: "pair", accessToken: "one", refreshToken: "" },
      cleanPath: "/reset-password",
    });
  });
});

describe("a link that the server has not checked", () => {
  const secret = "/email-confirmation?token_hash=secret&type=signup";
  const link = { kind: "token", tokenHash: "secret", type: "signup" };

  /** The module as a page has it that is loaded at `path`. */
  async function openPage(path: string) {
    history.replaceState(null, "", path);
    vi.resetModules();
    return import("#client/state/mail-link.ts");
  }

  beforeEach(() => sessionStorage.clear());

  it("is removed from the address and survives a reload", async () => {
    expect((await openPage(secret)).mailLink.get()).toEqual(link);
    expect(window.location.href).toBe("https://dualect.example/email-confirmation");
    expect((await openPage("/email-confirmation")).mailLink.get()).toEqual(link);
  });

  it("belongs to its own page", async () => {
    await openPage(secret);
    expect((await openPage("/reset-password")).mailLink.get()).toBeNull();
  });

  it("is replaced by a later one", async () => {
    await openPage(secret);
    const { mailLink } = await openPage("/email-confirmation?token_hash=later&type=signup");
    expect(mailLink.get()).toMatchObject({ tokenHash: "later" });
  });

  it("is deleted once the server has checked it", async () => {
    const { forgetStoredLink: forgetKeptLink } = await openPage(secret);
    forgetKeptLink();
    expect(sessionStorage).toHaveLength(0);
    expect((await openPage("/email-confirmation")).mailLink.get()).toBeNull();
  });
});
