// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { loadAuthStart } from "#client/auth-start.tsx";
import { authMessages } from "#client/features/auth/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { type Visitor, visitor } from "#client/state/visitor.ts";
import { click, findButton, show, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const showApplication = vi.fn(async () => {});
const user: Visitor = { kind: "user", user: { id: "u", email: "a@b.c", emailVerified: true } };
const getAddress = () => window.location.pathname + window.location.search;

beforeEach(async () => {
  showApplication.mockClear();
  localStorage.clear();
  await Promise.all([showLanguage("en"), authMessages.load()]);
  fakeServer({ "auth.signOut": () => ({}), "recording.guestTicket": () => ({}) });
});

it.each([
  ["/profile?a=1#b", "/auth?redirect=%2Fprofile%3Fa%3D1%23b"],
  ["/", "/auth"],
])("shows a visitor to %s the sign-in page at %s", async (path, address) => {
  visitor.set({ kind: "anonymous" });
  history.replaceState(null, "", path);
  await show(await loadAuthStart(showApplication));
  expect(getAddress()).toBe(address);
  expect(findButton("Sign In")).toBeDefined();
});

it.each(["/record", "/"])("leaves %s to the application for who is signed in", async (path) => {
  visitor.set(user);
  history.replaceState(null, "", path);
  expect(await loadAuthStart(showApplication)).toBeNull();
  expect(getAddress()).toBe(path);
});

it("records without an account at the first click", async () => {
  visitor.set({ kind: "anonymous" });
  history.replaceState(null, "", "/auth");
  await show(await loadAuthStart(showApplication));
  expect(document.querySelector("[role=dialog]")).toBeNull();
  await click("Record without an account");
  await waitFor(() => expect(showApplication).toHaveBeenCalledOnce());
  expect(visitor.get()).toEqual({ kind: "guest" });
  expect(getAddress()).toBe("/record");
});

it("asks who comes from another page to sign in, and leads a guest there, and back", async () => {
  visitor.set({ kind: "anonymous" });
  history.replaceState(null, "", "/auth?redirect=/record?lecture=1");
  await show(await loadAuthStart(showApplication));
  const before = history.length;
  await waitForText("Guest Mode");
  await click("Guest Mode", "[role=tab]");
  await click("Continue as Guest");
  await waitFor(() => expect(showApplication).toHaveBeenCalledOnce());
  expect(visitor.get()).toEqual({ kind: "guest" });
  expect(getAddress()).toBe("/record?lecture=1");
  expect(history.length).toBe(before + 1);
});

it("replaces its address by the page wanted when another tab signs in", async () => {
  visitor.set({ kind: "anonymous" });
  history.replaceState(null, "", "/auth");
  await show(await loadAuthStart(showApplication));
  const before = history.length;
  await act(async () => visitor.set(user));
  expect(showApplication).toHaveBeenCalledOnce();
  expect(getAddress()).toBe("/");
  expect(history.length).toBe(before);
});

it("gives the way back to the application", async () => {
  visitor.set({ kind: "anonymous" });
  history.replaceState(null, "", "/auth");
  await loadAuthStart(showApplication);
  dispatchEvent(new PopStateEvent("popstate"));
  expect(showApplication).toHaveBeenCalledOnce();
});

it("leaves a server that cannot be reached to the application", async () => {
  visitor.set({ kind: "unknown" });
  fakeServer({
    "auth.session": () => {
      throw new TypeError("Failed to fetch");
    },
  });
  history.replaceState(null, "", "/auth");
  await loadAuthStart(showApplication);
  await waitFor(() => expect(showApplication).toHaveBeenCalledOnce());
});
