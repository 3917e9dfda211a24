// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { AuthCard } from "#client/features/auth/auth-card.tsx";
import { authMessages } from "#client/features/auth/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { findButton, show } from "#tests/unit/client/kit/page.tsx";

it("repeats the promise to a guest who wants to keep a transcript", async () => {
  await Promise.all([showLanguage("en"), authMessages.load()]);
  await show(<AuthCard forgotten={false} signUp keepsTranscript onGuest={() => {}} />);
  expect(document.body.textContent).toContain(
    "Keep this lecture: create a free account, your transcript comes along.",
  );
  expect(findButton("Create Account")).toBeDefined();
  expect(findButton("Try without an account")).toBeUndefined();
});
