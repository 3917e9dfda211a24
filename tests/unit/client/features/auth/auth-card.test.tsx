// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { AuthCard } from "#client/features/auth/auth-card.tsx";
import { authMessages } from "#client/features/auth/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { visitor } from "#client/state/auth.ts";
import { findButton, show as render } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const onGuest = vi.fn();

beforeEach(async () => {
  await Promise.all([showLanguage("en"), authMessages.load()]);
});

const show = (props: { signUp: boolean; keepsTranscript: boolean }) =>
  render(<AuthCard forgotten={false} onGuest={onGuest} {...props} />);

it("lets anybody in without an account, beside every form", async () => {
  fakeServer({ "auth.signOut": () => ({}), "recording.guestTicket": () => ({}) });
  await show({ signUp: false, keepsTranscript: false });
  await act(async () => findButton("Try without an account")?.click());
  await vi.waitFor(() => expect(onGuest).toHaveBeenCalledOnce());
  expect(visitor.get()).toEqual({ kind: "guest" });
});

it("repeats the promise to a guest who wants to keep a transcript", async () => {
  await show({ signUp: true, keepsTranscript: true });
  expect(document.body.textContent).toContain(
    "Keep this lecture: create a free account, your transcript comes along.",
  );
  expect(findButton("Create Account")).toBeDefined();
  expect(findButton("Try without an account")).toBeUndefined();
});
