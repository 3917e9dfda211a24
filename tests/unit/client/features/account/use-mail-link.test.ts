// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";
import { accountMessages } from "#client/features/account/messages/index.ts";
import { memoizePerLink, toLinkFailure } from "#client/features/account/use-mail-link.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { ApiError } from "#client/lib/api-error.ts";
import type { MailLink } from "#client/state/mail-link.ts";

beforeAll(() => Promise.all([showLanguage("en"), accountMessages.load()]));

const link = (): MailLink => ({ kind: "token", tokenHash: "secret", type: "signup" });

describe("a link that failed", () => {
  it("is expired or invalid", () => {
    expect(toLinkFailure(new ApiError("token_expired", false))).toEqual({ phase: "expired" });
    expect(toLinkFailure(new ApiError("token_invalid", false))).toEqual({ phase: "error" });
  });

  it("may not have been checked, and says when to try again", () => {
    const limited = new ApiError("rate_limited", true, { retryAfterSeconds: 61 });
    expect(toLinkFailure(limited)).toEqual({
      phase: "unclear",
      text: "Too many attempts. Please try again in 2 minutes.",
    });
    expect(toLinkFailure(new TypeError("Failed to fetch"))).toEqual({
      phase: "unclear",
      text: "Dualect cannot be reached right now. Please try again.",
    });
  });
});

describe("a link", () => {
  it("runs once however often the page renders, and again after an unclear result", async () => {
    let uses = 0;
    let phase = "success";
    const use = memoizePerLink(async () => {
      uses += 1;
      return { phase, uses };
    });
    const first = link();
    const [one, other] = await Promise.all([use(first), use(first)]);
    expect([one.uses, other.uses]).toEqual([1, 1]);
    expect((await use(first)).uses).toBe(1);
    phase = "unclear";
    const second = link();
    expect((await use(second)).uses).toBe(2);
    expect((await use(second)).uses).toBe(3);
  });
});
