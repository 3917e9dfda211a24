// @vitest-environment happy-dom
import { beforeAll, expect, test } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { describeLoadFailure } from "#client/state/library/load-failure.ts";

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

test.each([
  [new ApiError("not_found", false), "Lecture Not Found", "This lecture no longer exists"],
  [new ApiError("validation_failed", false), "Lecture Not Found", "This lecture no longer exists"],
  [new ApiError("internal", true), "Failed to Load Lecture", "An unexpected error occurred"],
  [
    new ApiError("rate_limited", true, { retryAfterSeconds: 90 }),
    "Failed to Load Lecture",
    "Too many attempts. Please try again in 2 minutes.",
  ],
  [new ApiError("unavailable", true), "Load Error", "Failed to load lecture"],
  [new TypeError("Failed to fetch"), "Load Error", "Failed to load lecture"],
])("%s", (failure, title, text) => {
  expect(describeLoadFailure(failure)).toEqual({ title, text });
});
