// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sendResetLink } from "#client/features/account/change-password.ts";
import { accountMessages } from "#client/features/account/messages/index.ts";
import { authMessages } from "#client/features/auth/messages/index.ts";
import { submitForgotten } from "#client/features/auth/submit.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { setToastHandler, type ToastMessage } from "#client/state/notifications.ts";
import { fakeServer } from "#tests/unit/client/state/kit/server.ts";

const toasts: ToastMessage[] = [];
setToastHandler((message) => toasts.push(message));

beforeEach(async () => {
  await Promise.all([showLanguage("en"), accountMessages.load(), authMessages.load()]);
  toasts.length = 0;
  fakeServer({ "auth.forgotPassword": () => ({}), "site.info": () => ({ outboxUrl: null }) });
});
afterEach(() => vi.unstubAllGlobals());

describe("reports a requested reset link", () => {
  const description = "Check your email for reset instructions";

  it("on the sign-in page", async () => {
    await submitForgotten("lin@example.edu");
    expect(toasts).toEqual([{ kind: "success", title: "Password Reset Email Sent", description }]);
  });

  it("in the change-password view", async () => {
    await sendResetLink("lin@example.edu");
    expect(toasts).toEqual([{ kind: "success", title: "Reset email sent", description }]);
  });
});
