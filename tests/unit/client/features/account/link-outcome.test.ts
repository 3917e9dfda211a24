// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { memoizePerLink, toLinkFailure } from "#client/features/account/link-outcome.ts";
import { accountMessages } from "#client/features/account/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { ApiError } from "#client/realtime/server-api.ts";
import type { MailLink } from "#client/state/mail-link.ts";

beforeAll(() => Promise.all([showLanguage("en"), accountMessages.load()]));

const link = (): MailLink => ({ kind: "token", tokenHash: "secret", type: "signup" });

describe("a link that failed", () => {
  it("is expired or invalid", () => {
    expect(toLinkFailure(new ApiError("token_expired", false))).toEqual({ at: "expired" });
    expect(toLinkFailure(new ApiError("token_invalid", false))).toEqual({ at: "error" });
  });

  it("may not have been checked, and says when to try again", () => {
    const limited = new ApiError("rate_limited", true, { retryAfterSeconds: 61 });
    expect(toLinkFailure(limited)).toEqual({
      at: "unclear",
      text: "Too many attempts. Please try again in 2 minutes.",
    });
    expect(toLinkFailure(new TypeError("Failed to fetch"))).toEqual({
      at: "unclear",
      text: "Dualect is not reachable just now. Please try again.",
    });
  });
});

describe("a link", () => {
  it("runs once however often the page renders, and again on request", async () => {
    let uses = 0;
    const use = memoizePerLink(async () => {
      uses += 1;
      return uses;
    });
    const first = link();
    expect(await Promise.all([use(first), use(first)])).toEqual([1, 1]);
    expect(await use(link())).toBe(2);
    use.forget(first);
    expect(await use(first)).toBe(3);
  });
});
