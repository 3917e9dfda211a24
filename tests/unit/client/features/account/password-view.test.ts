// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { accountMessages } from "#client/features/account/messages/index.ts";
import { sendResetLink, submitPasswordChange } from "#client/features/account/password-view.tsx";
import { submitForgotten, submitSignIn, submitSignUp } from "#client/features/auth/submit.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { formMessages } from "#client/i18n/forms/index.ts";
import { collectToasts } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { lin } from "#tests/unit/client/kit/user.ts";

const toasts = collectToasts();

beforeEach(async () => {
  await Promise.all([showLanguage("en"), accountMessages.load(), formMessages.load()]);
  fakeServer({ "auth.forgotPassword": () => ({}), "site.info": () => ({ outboxUrl: null }) });
});

it.each([
  ["on the sign-in page", () => submitForgotten({ email: lin.email }), "Password Reset Email Sent"],
  ["in the change-password view", () => sendResetLink(lin.email), "Reset email sent"],
])("reports a requested reset link %s", async (_place, request, title) => {
  await request();
  const description = "Check your email for reset instructions";
  expect(toasts).toEqual([{ kind: "success", title, description }]);
});

it("says why a reset link was not sent", async () => {
  await submitForgotten({ email: "no address" });
  fakeServer({ "auth.forgotPassword": () => new Refusal("rate_limited", 60) });
  await submitForgotten({ email: lin.email });
  expect(toasts).toMatchObject([
    { title: "Validation Error", description: "Invalid email address" },
    {
      title: "Password Reset Error",
      description: "Too many attempts. Please try again in 1 minute.",
    },
  ]);
});

it.each([
  ["", "", "", "Current password is required"],
  ["x", "short", "", "New password must be at least 6 characters"],
  ["x", "long enough", "", "Password confirmation must be at least 6 characters"],
  ["x", "long enough", "short", "Password confirmation must be at least 6 characters"],
  ["x", "long enough", "long enoush", "New passwords don't match"],
])("reports the first broken rule of a change (%j, %j, %j)", async (...values) => {
  const [currentPassword, newPassword, confirmPassword, description] = values;
  await submitPasswordChange({ currentPassword, newPassword, confirmPassword });
  expect(toasts).toMatchObject([{ kind: "failure", title: "Validation Error", description }]);
});

describe("names the wrong field, with the text of the toast", () => {
  const password = "wrong horse";
  const values = { email: lin.email, password, confirmPassword: password };

  it("for every broken rule, and toasts the first", async () => {
    const errors = await submitSignUp({ email: "lin", password: "short", confirmPassword: "" });
    expect(errors).toEqual({
      email: "Invalid email address",
      password: "Password must be at least 6 characters",
      confirmPassword: "Password confirmation must be at least 6 characters",
    });
    expect(toasts).toMatchObject([
      { kind: "failure", title: "Validation Error", description: "Invalid email address" },
    ]);
  });

  it.each([
    ["auth.signIn", "credentials_invalid", submitSignIn, "password"],
    ["auth.signUp", "email_in_use", submitSignUp, "email"],
  ] as const)("when %s answers %s", async (procedure, code, submit, field) => {
    fakeServer({ [procedure]: () => new Refusal(code) });
    expect(await submit(values)).toEqual({ [field]: toasts[0]?.description });
  });

  it("when the current password is wrong", async () => {
    fakeServer({ "auth.changePassword": () => new Refusal("current_password_invalid") });
    const newPassword = { newPassword: "battery staple", confirmPassword: "battery staple" };
    expect(await submitPasswordChange({ currentPassword: "wrong", ...newPassword })).toEqual({
      currentPassword: "Please enter your current password correctly",
    });
  });

  it("but none when the server cannot be reached", async () => {
    fakeServer({});
    expect(await submitSignIn(values)).toEqual({});
  });
});
