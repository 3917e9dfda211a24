import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { ApiError, toApiError } from "#client/lib/call-server.ts";

const answer = (data: object) =>
  TRPCClientError.from({ error: { code: -32_000, message: "refused", data } });

describe("a failed call", () => {
  it("carries the server's code, and whether it may succeed later", () => {
    expect(toApiError(answer({ appCode: "not_found", httpStatus: 404 }))).toMatchObject({
      code: "not_found",
      retryable: false,
    });
    const limited = answer({ appCode: "rate_limited", httpStatus: 429, retryAfterSeconds: 60 });
    expect(toApiError(limited)).toMatchObject({
      code: "rate_limited",
      retryable: true,
      retryAfterSeconds: 60,
    });
    expect(toApiError(answer({ appCode: "llm_failed", httpStatus: 502 })).retryable).toBe(true);
  });

  it("may be retried when it had no readable response", () => {
    const failures = [new TypeError("Failed to fetch"), answer({})];
    for (const failure of failures) {
      expect(toApiError(failure)).toMatchObject({ code: "unavailable", retryable: true });
    }
  });

  it("is kept when it is an ApiError already", () => {
    const error = new ApiError("conflict", false);
    expect(toApiError(error)).toBe(error);
  });
});
