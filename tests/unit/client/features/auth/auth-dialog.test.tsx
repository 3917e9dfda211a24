// @vitest-environment happy-dom
import { expect, it } from "vitest";
import AuthDialog from "#client/features/auth/auth-dialog.tsx";
import { authMessages } from "#client/features/auth/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { formMessages } from "#client/i18n/forms/index.ts";
import { visitor } from "#client/state/visitor.ts";
import Notifications from "#client/ui/toasts.tsx";
import {
  click,
  findButton,
  settle,
  show,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { lin, signIn } from "#tests/unit/client/kit/user.ts";

const props = {
  firstTab: "signIn",
  forgotten: false,
  keepsTranscript: false,
  onClose: () => {},
  onGuest: () => {},
} as const;

it("repeats the promise to a guest who wants to keep a transcript", async () => {
  await Promise.all([showLanguage("en"), authMessages.load(), formMessages.load()]);
  await show(<AuthDialog {...props} firstTab="signUp" keepsTranscript />);
  expect(document.body.textContent).toContain(
    "Keep this lecture: create a free account, your transcript comes along.",
  );
  expect(findButton("Create Account")).toBeDefined();
});

it("shows an error of a form no longer once the corrected form is submitted", async () => {
  await Promise.all([showLanguage("en"), authMessages.load(), formMessages.load()]);
  signIn();
  visitor.set({ kind: "anonymous" });
  const answer = Promise.withResolvers<object>();
  fakeServer({ "auth.signIn": () => answer.promise });
  await show(
    <>
      <Notifications />
      <AuthDialog {...props} />
    </>,
  );
  const fields = document.querySelectorAll("form input");
  await type(fields[0], lin.email);
  await type(fields[1], "short");
  await click("Sign In", "button[type=submit]");
  await waitForText("Validation Error");
  await type(fields[1], "correct horse");
  await click("Sign In", "button[type=submit]");
  const listShown = () =>
    [...document.querySelectorAll("[role=group]:not([data-ending-style]) h2")].map(
      ({ textContent }) => textContent,
    );
  expect(listShown()).toEqual([]);
  answer.resolve({ user: lin });
  await settle(() => expect(listShown()).toEqual(["Welcome back!"]));
});

it("begins in the address, and keeps it from one tab to the other", async () => {
  await Promise.all([showLanguage("en"), authMessages.load(), formMessages.load()]);
  await show(<AuthDialog {...props} />);
  const field = () => document.querySelector<HTMLInputElement>("input[name=email]");
  await settle(() => expect(document.activeElement).toBe(field()));
  await type(field(), lin.email);
  await click("Sign Up", "[role=tab]");
  expect(field()?.value).toBe(lin.email);
  expect(findButton("Create Account")).toBeDefined();
  await click("Sign In", "[role=tab]");
  await click("Forgot password?");
  expect(field()?.value).toBe(lin.email);
});
