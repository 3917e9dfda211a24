// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { readMailLink } from "../../../../src/client/lib/mail-link.ts";

const read = (path: string) => readMailLink(new URL(path, "https://dualect.example"));

describe("the link of a mail", () => {
  it.each(["/email-confirmation", "/verify", "/reset-password"])("is read on %s", (path) => {
    expect(read(`${path}?token_hash=secret&type=signup&from=mail`)).toEqual({
      link: { kind: "token", tokenHash: "secret", type: "signup" },
      bare: `${path}?from=mail`,
    });
  });

  it("may carry a pair of tokens in the hash", () => {
    expect(
      read("/reset-password#access_token=one&refresh_token=two&expires_in=900&type=recovery"),
    ).toEqual({
      link: { kind: "pair", accessToken: "one", refreshToken: "two" },
      bare: "/reset-password",
    });
  });

  it("without a type is left to the page to refuse", () => {
    expect(read("/verify?token_hash=secret")?.link).toMatchObject({ type: "" });
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

  it("leaves no half of a pair in the address", () => {
    expect(read("/reset-password#access_token=one")).toEqual({
      link: { kind: "pair", accessToken: "one", refreshToken: "" },
      bare: "/reset-password",
    });
  });
});
