// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  endUserSession,
  expectSignOut,
  handleSessionExpired,
  refreshVisitor,
  signIn,
  visitor,
  watchVisitor,
} from "#client/state/auth.ts";
import type { SessionUser } from "#shared/account.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { fakeServer } from "./kit/server.ts";

/** The other tabs of the browser, which are heard at once. */
const otherTabs = vi.hoisted(() => {
  const sent: unknown[] = [];
  const channel = Object.assign(new EventTarget(), {
    postMessage: (word: unknown) => sent.push(word),
  });
  vi.stubGlobal("BroadcastChannel", function open() {
    return channel;
  });
  return {
    sent,
    say: (word: string) => channel.dispatchEvent(new MessageEvent("message", { data: word })),
  };
});

const lin: SessionUser = { id: "lin", email: "lin@example.edu", emailVerified: true };
const mei: SessionUser = { id: "mei", email: "mei@example.edu", emailVerified: true };
const credentials = { email: mei.email, password: "correct horse" };
const of = (user: SessionUser) => ({ kind: "user", user });
const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));

/** Answers the n-th question with the n-th promise. */
function inTurn<T>(...answers: (T | Promise<T>)[]): () => T | Promise<T> {
  return () => {
    const next = answers.shift();
    if (next === undefined) throw new Error("Asked too often");
    return next;
  };
}

const session = (user: SessionUser | null) => ({ user });
type Session = ReturnType<typeof session>;

watchVisitor();

beforeEach(() => {
  localStorage.clear();
  otherTabs.sent.length = 0;
  visitor.set({ kind: "user", user: lin });
});
afterEach(() => vi.unstubAllGlobals());

describe("an overtaken response", () => {
  it("by signing out does not bring the user back", async () => {
    const early = Promise.withResolvers<Session>();
    const { calls } = fakeServer({
      "auth.session": inTurn(early.promise, session(null)),
      "auth.signOut": () => ({}),
    });
    const asking = refreshVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.session"]));
    await endUserSession();
    expect(otherTabs.sent).toEqual(["changed"]);
    early.resolve(session(lin));
    await asking;
    expect(visitor.get()).toEqual({ kind: "anonymous" });
  });

  it("by signing in does not sign out", async () => {
    visitor.set({ kind: "anonymous" });
    const early = Promise.withResolvers<Session>();
    const { calls } = fakeServer({
      "auth.session": inTurn(early.promise, session(mei)),
      "auth.signIn": () => ({ user: mei }),
    });
    const asking = refreshVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.session"]));
    await signIn(credentials);
    early.resolve(session(null));
    await asking;
    expect(visitor.get()).toEqual(of(mei));
  });

  it.each([
    ["comes", (early: PromiseWithResolvers<Session>) => early.resolve(session(lin))],
    ["fails", (early: PromiseWithResolvers<Session>) => early.reject(new Error("Reset"))],
  ])("by another tab is requested again when it %s", async (_name, end) => {
    const early = Promise.withResolvers<Session>();
    const { calls } = fakeServer({ "auth.session": inTurn(early.promise, session(null)) });
    const asking = refreshVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.session"]));
    otherTabs.say("changed");
    end(early);
    await asking;
    expect(visitor.get()).toEqual({ kind: "anonymous" });
  });
});

describe("an expired session", () => {
  it.each([
    ["ran out, as another tab noticed", "expired", { kind: "anonymous", expired: true }],
    ["was signed out in another tab", "changed", { kind: "anonymous" }],
  ])("%s", async (_name, word, then) => {
    fakeServer({ "auth.session": () => session(null) });
    otherTabs.say(word);
    await refreshVisitor();
    expect(visitor.get()).toEqual(then);
  });

  it("is reported to the other tabs", () => {
    handleSessionExpired();
    expect(visitor.get()).toEqual({ kind: "anonymous", expired: true });
    expect(otherTabs.sent).toEqual(["expired"]);
  });

  it("counts as a sign-out in another tab, although a call fails before that is known", async () => {
    const answer = Promise.withResolvers<Session>();
    fakeServer({ "auth.session": inTurn(answer.promise, session(null)) });
    otherTabs.say("changed");
    handleSessionExpired();
    answer.resolve(session(null));
    await refreshVisitor();
    expect(visitor.get()).toEqual({ kind: "anonymous" });
  });

  it("is none after another tab has announced its sign-out", async () => {
    fakeServer({ "auth.session": () => session(null) });
    expectSignOut();
    handleSessionExpired();
    await waitFor(() => expect(visitor.get()).toEqual({ kind: "anonymous" }));
    expect(otherTabs.sent).toEqual([]);
  });

  it("is one again if the announced sign-out does not come", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    expectSignOut();
    vi.setSystemTime(Date.now() + 60_000);
    handleSessionExpired();
    vi.useRealTimers();
    expect(visitor.get()).toEqual({ kind: "anonymous", expired: true });
  });
});

it("rejects when the server is unreachable, and keeps the visitor", async () => {
  fakeServer({ "auth.session": unreachable });
  await expect(refreshVisitor()).rejects.toThrow();
  expect(visitor.get()).toEqual(of(lin));
});

describe("a sign-out that reaches the server late", () => {
  it("is sent before a sign-in", async () => {
    visitor.set({ kind: "anonymous" });
    localStorage.setItem("signingOut", "true");
    const late = Promise.withResolvers<object>();
    const { calls } = fakeServer({
      "auth.signOut": () => late.promise,
      "auth.signIn": () => ({ user: mei }),
      "auth.session": () => session(mei),
    });
    const asking = refreshVisitor();
    const entering = signIn(credentials);
    await waitFor(() => expect(calls).toEqual(["auth.signOut"]));
    late.reject(new TypeError("Failed to fetch"));
    await Promise.all([asking, entering]);
    expect(calls.slice(0, 2)).toEqual(["auth.signOut", "auth.signIn"]);
    expect(visitor.get()).toEqual(of(mei));
    expect(localStorage.getItem("signingOut")).toBeNull();
  });

  it("is not kept when a user has signed in meanwhile", async () => {
    visitor.set({ kind: "anonymous" });
    const late = Promise.withResolvers<object>();
    const entry = Promise.withResolvers<{ user: SessionUser }>();
    const { calls } = fakeServer({
      "auth.signIn": () => entry.promise,
      "auth.signOut": () => late.promise,
      "auth.session": () => session(mei),
    });
    const entering = signIn(credentials);
    await waitFor(() => expect(calls).toEqual(["auth.signIn"]));
    localStorage.setItem("signingOut", "true");
    const asking = refreshVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.signIn", "auth.signOut"]));
    entry.resolve({ user: mei });
    await entering;
    late.reject(new TypeError("Failed to fetch"));
    await asking;
    expect(localStorage.getItem("signingOut")).toBeNull();
    expect(visitor.get()).toEqual(of(mei));
  });

  it("is kept when the server is unreachable", async () => {
    fakeServer({ "auth.signOut": unreachable });
    expect(await endUserSession()).toBe(false);
    expect(localStorage.getItem("signingOut")).toBe("true");
  });
});
