// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isOffline, isVisitorConfirmed } from "#client/state/offline.ts";
import {
  endUserSession,
  expectSignOut,
  fetchVisitor,
  getVisitor,
  handleSessionExpired,
  watchVisitor,
} from "#client/state/session.ts";
import { signIn } from "#client/state/sign-in.ts";
import { setVisitor, type Visitor, visitor } from "#client/state/visitor.ts";
import type { SessionUser } from "#shared/account.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

/** The other tabs of the browser: what is sent to them, and messages from them, which arrive at once. */
const otherTabs = vi.hoisted(() => {
  const sent: unknown[] = [];
  const channel = Object.assign(new EventTarget(), {
    postMessage: (message: unknown) => sent.push(message),
  });
  vi.stubGlobal("BroadcastChannel", function open() {
    return channel;
  });
  return {
    sent,
    send: (message: string) =>
      channel.dispatchEvent(new MessageEvent("message", { data: message })),
  };
});

const lin: SessionUser = { id: "lin", email: "lin@example.edu", emailVerified: true };
const mei: SessionUser = { id: "mei", email: "mei@example.edu", emailVerified: true };
const credentials = { email: mei.email, password: "correct horse" };
const signedIn = (user: SessionUser) => ({ kind: "user", user });
const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));

/** Answers the n-th call with the n-th answer. */
function answerInOrder<T>(...answers: (T | Promise<T>)[]): () => T | Promise<T> {
  return () => {
    const next = answers.shift();
    if (next === undefined) throw new Error("There is no answer for this call");
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

describe("a late answer about the session", () => {
  it("does not sign the user in again after a sign-out", async () => {
    const first = Promise.withResolvers<Session>();
    const { calls } = fakeServer({
      "auth.session": answerInOrder(first.promise, session(null)),
      "auth.signOut": () => ({}),
    });
    const refreshing = fetchVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.session"]));
    await endUserSession();
    expect(otherTabs.sent).toEqual(["changed"]);
    first.resolve(session(lin));
    await refreshing;
    expect(visitor.get()).toEqual({ kind: "anonymous" });
  });

  it("does not sign the user out after a sign-in", async () => {
    visitor.set({ kind: "anonymous" });
    const first = Promise.withResolvers<Session>();
    const { calls } = fakeServer({
      "auth.session": answerInOrder(first.promise, session(mei)),
      "auth.signIn": () => ({ user: mei }),
    });
    const refreshing = fetchVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.session"]));
    await signIn(credentials);
    first.resolve(session(null));
    await refreshing;
    expect(visitor.get()).toEqual(signedIn(mei));
  });

  it.each([
    ["arrives", (first: PromiseWithResolvers<Session>) => first.resolve(session(lin))],
    ["fails", (first: PromiseWithResolvers<Session>) => first.reject(new Error("Reset"))],
  ])(
    "is replaced by a new one if another tab changed the session before it %s",
    async (_name, end) => {
      const first = Promise.withResolvers<Session>();
      const { calls } = fakeServer({ "auth.session": answerInOrder(first.promise, session(null)) });
      const refreshing = fetchVisitor();
      await waitFor(() => expect(calls).toEqual(["auth.session"]));
      otherTabs.send("changed");
      end(first);
      await refreshing;
      expect(visitor.get()).toEqual({ kind: "anonymous" });
    },
  );
});

describe("a session", () => {
  it.each([
    [
      "expires when another tab reports that it has expired",
      "expired",
      { kind: "anonymous", expired: true },
    ],
    ["ends as signed out when another tab has signed out", "changed", { kind: "anonymous" }],
  ])("%s", async (_name, message, expected) => {
    fakeServer({ "auth.session": () => session(null) });
    otherTabs.send(message);
    await fetchVisitor();
    expect(visitor.get()).toEqual(expected);
  });

  it("is reported to the other tabs when it has expired", () => {
    handleSessionExpired();
    expect(visitor.get()).toEqual({ kind: "anonymous", expired: true });
    expect(otherTabs.sent).toEqual(["expired"]);
  });

  it("ends as signed out in another tab, although a call fails before that is known", async () => {
    const answer = Promise.withResolvers<Session>();
    fakeServer({ "auth.session": answerInOrder(answer.promise, session(null)) });
    otherTabs.send("changed");
    handleSessionExpired();
    answer.resolve(session(null));
    await fetchVisitor();
    expect(visitor.get()).toEqual({ kind: "anonymous" });
  });

  it("does not count as expired after another tab has announced its sign-out", async () => {
    fakeServer({ "auth.session": () => session(null) });
    expectSignOut();
    handleSessionExpired();
    await waitFor(() => expect(visitor.get()).toEqual({ kind: "anonymous" }));
    expect(otherTabs.sent).toEqual([]);
  });

  it("ends as signed out, although a call fails while the server ends it", async () => {
    const answer = Promise.withResolvers<object>();
    fakeServer({ "auth.signOut": () => answer.promise });
    const ending = endUserSession();
    handleSessionExpired();
    expect(visitor.get()).toEqual(signedIn(lin));
    answer.resolve({});
    await ending;
    expect(visitor.get()).toEqual({ kind: "anonymous" });
    expect(otherTabs.sent).toEqual(["changed"]);
  });

  it("counts as expired if the announced sign-out does not come within a minute", () => {
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
  await expect(fetchVisitor()).rejects.toThrow();
  expect(visitor.get()).toEqual(signedIn(lin));
});

describe("a sign-out that reaches the server late", () => {
  it("is sent before a sign-in", async () => {
    visitor.set({ kind: "anonymous" });
    localStorage.setItem("signingOut", "true");
    const signOutAnswer = Promise.withResolvers<object>();
    const { calls } = fakeServer({
      "auth.signOut": () => signOutAnswer.promise,
      "auth.signIn": () => ({ user: mei }),
      "auth.session": () => session(mei),
    });
    const refreshing = fetchVisitor();
    const signingIn = signIn(credentials);
    await waitFor(() => expect(calls).toEqual(["auth.signOut"]));
    signOutAnswer.reject(new TypeError("Failed to fetch"));
    await Promise.all([refreshing, signingIn]);
    expect(calls.slice(0, 2)).toEqual(["auth.signOut", "auth.signIn"]);
    expect(visitor.get()).toEqual(signedIn(mei));
    expect(localStorage.getItem("signingOut")).toBeNull();
  });

  it("is not kept when a user has signed in meanwhile", async () => {
    visitor.set({ kind: "anonymous" });
    const signOutAnswer = Promise.withResolvers<object>();
    const signInAnswer = Promise.withResolvers<{ user: SessionUser }>();
    const { calls } = fakeServer({
      "auth.signIn": () => signInAnswer.promise,
      "auth.signOut": () => signOutAnswer.promise,
      "auth.session": () => session(mei),
    });
    const signingIn = signIn(credentials);
    await waitFor(() => expect(calls).toEqual(["auth.signIn"]));
    localStorage.setItem("signingOut", "true");
    const refreshing = fetchVisitor();
    await waitFor(() => expect(calls).toEqual(["auth.signIn", "auth.signOut"]));
    signInAnswer.resolve({ user: mei });
    await signingIn;
    signOutAnswer.reject(new TypeError("Failed to fetch"));
    await refreshing;
    expect(localStorage.getItem("signingOut")).toBeNull();
    expect(visitor.get()).toEqual(signedIn(mei));
  });

  it("is sent at the next visit, which stays signed out", async () => {
    visitor.set({ kind: "anonymous" });
    localStorage.setItem("signingOut", "true");
    const { calls } = fakeServer({
      "auth.signOut": () => ({}),
      "auth.session": () => session(null),
    });
    await fetchVisitor();
    expect(calls[0]).toBe("auth.signOut");
    expect(localStorage.getItem("signingOut")).toBeNull();
    expect(visitor.get()).toEqual({ kind: "anonymous" });
  });

  it("is kept when the server is unreachable", async () => {
    fakeServer({ "auth.signOut": unreachable });
    expect(await endUserSession()).toBe(false);
    expect(localStorage.getItem("signingOut")).toBe("true");
  });
});

describe("a visit while the server cannot be reached", () => {
  beforeEach(() => visitor.set({ kind: "unknown" }));

  /** Opens the page again after a visit of `before`. */
  function openLater(before: Visitor) {
    setVisitor(before);
    visitor.set({ kind: "unknown" });
  }

  it("is that of the user whom this browser knew last, until the server says who is here", async () => {
    openLater({ kind: "user", user: lin });
    const answers = { session: (): unknown => unreachable() };
    fakeServer({ "auth.session": () => answers.session() });
    expect(await getVisitor()).toEqual(signedIn(lin));
    expect(isVisitorConfirmed.get()).toBe(false);
    expect(isOffline.get()).toBe(true);

    answers.session = () => session(mei);
    window.dispatchEvent(new Event("online"));
    await waitFor(() => expect(isVisitorConfirmed.get()).toBe(true));
    expect(visitor.get()).toEqual(signedIn(mei));
    expect(isOffline.get()).toBe(false);
  });

  it("ends when the session has ended meanwhile", async () => {
    openLater({ kind: "user", user: lin });
    let isReachable = false;
    fakeServer({ "auth.session": () => (isReachable ? session(null) : unreachable()) });
    expect(await getVisitor()).toEqual(signedIn(lin));
    isReachable = true;
    window.dispatchEvent(new Event("online"));
    await waitFor(() => expect(visitor.get()).toEqual({ kind: "anonymous" }));
    expect(localStorage.getItem("signedIn")).toBeNull();
  });

  it("is a guest's who was one here", async () => {
    localStorage.setItem("guestMode", "true");
    let isReachable = false;
    fakeServer({ "auth.session": () => (isReachable ? session(null) : unreachable()) });
    expect(await getVisitor()).toEqual({ kind: "guest" });
    isReachable = true;
    window.dispatchEvent(new Event("online"));
    await waitFor(() => expect(isVisitorConfirmed.get()).toBe(true));
  });

  it.each([
    ["nobody is known here", null],
    ["what is stored is damaged", "{"],
    ["what is stored names nobody", '{"email":"lin@example.edu"}'],
    ["an earlier version stored only that somebody was here", "true"],
  ])("is nobody's when %s", async (_what, stored) => {
    if (stored !== null) localStorage.setItem("signedIn", stored);
    fakeServer({ "auth.session": unreachable });
    await expect(getVisitor()).rejects.toThrow();
    expect(visitor.get()).toEqual({ kind: "unknown" });
  });

  it("is nobody's after a sign-out that the server does not know of", async () => {
    setVisitor({ kind: "user", user: lin });
    fakeServer({ "auth.session": unreachable, "auth.signOut": unreachable });
    await endUserSession();
    visitor.set({ kind: "unknown" });
    expect(await getVisitor()).toEqual({ kind: "anonymous" });
  });

  it("is that of the known user while the server is slow, and a slow server is waited for where nobody is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (const known of [true, false]) {
      openLater(known ? { kind: "user", user: lin } : { kind: "anonymous" });
      const answer = Promise.withResolvers<Session>();
      fakeServer({ "auth.session": () => answer.promise });
      const asking = getVisitor();
      await vi.advanceTimersByTimeAsync(10_000);
      if (known) expect(await asking).toEqual(signedIn(lin));
      else expect(visitor.get()).toEqual({ kind: "unknown" });
      expect(isVisitorConfirmed.get()).toBe(!known);
      answer.resolve(session(mei));
      window.dispatchEvent(new Event("online"));
      if (!known) expect(await asking).toEqual(signedIn(mei));
      await waitFor(() => expect(isVisitorConfirmed.get()).toBe(true));
      expect(visitor.get()).toEqual(signedIn(mei));
    }
  });

  it("is nobody's when the server answers with a failure", async () => {
    openLater({ kind: "user", user: lin });
    fakeServer({ "auth.session": () => new Refusal("internal") });
    await expect(getVisitor()).rejects.toThrow();
    expect(visitor.get()).toEqual({ kind: "unknown" });
  });
});
