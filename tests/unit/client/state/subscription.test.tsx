// @vitest-environment happy-dom
import { act, useEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import {
  checkSubscription,
  getCachedSubscription,
  refreshSubscription,
  useSubscription,
} from "#client/state/subscription.ts";
import { setVisitor, visitor } from "#client/state/visitor.ts";
import type { SubscriptionInfo } from "#shared/plans.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { onPro } from "#tests/unit/client/kit/plans.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { lin, signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

/** The sockets that the page has opened. */
const sockets: { url: string; closed: boolean }[] = [];

const premium: SubscriptionInfo = { ...onPro, subscriptionTier: "premium" };

beforeEach(() => {
  sockets.length = 0;
  vi.stubGlobal("WebSocket", function open(url: URL) {
    const socket = { url: url.pathname, closed: false, close: () => {} };
    socket.close = () => {
      socket.closed = true;
    };
    sockets.push(socket);
    return socket;
  });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signIn();
});

afterEach(() => {
  visitor.set({ kind: "anonymous" });
  queryClient.clear();
  vi.restoreAllMocks();
});

const check = "subscriptions.check";

test("is not fetched while a fetch is in flight", async () => {
  const { calls } = fakeServer({ [check]: () => premium });
  await Promise.all([checkSubscription(), checkSubscription()]);
  expect(calls).toEqual([check]);
  expect(getCachedSubscription()).toEqual(premium);
});

test("is fetched again when it changed during a fetch", async () => {
  const early = Promise.withResolvers<SubscriptionInfo>();
  const answers = [early.promise, premium];
  const { calls } = fakeServer({ [check]: () => answers.shift() });
  const checking = checkSubscription();
  const changing = refreshSubscription();
  early.resolve({ ...premium, subscriptionTier: "pro" });
  await Promise.all([checking, changing]);
  expect(calls).toEqual([check, check]);
  expect(getCachedSubscription()?.subscriptionTier).toBe("premium");
});

test("stays as it was after a failed fetch, which is only logged", async () => {
  fakeServer({ [check]: () => premium });
  await checkSubscription();
  fakeServer({ [check]: () => Promise.reject(new TypeError("Failed to fetch")) });
  await checkSubscription();
  expect(getCachedSubscription()).toEqual(premium);
  expect(console.warn).toHaveBeenCalledOnce();
});

test("updates the page that shows it; without a user it is Free with nothing used", async () => {
  fakeServer({ [check]: () => premium });
  const shown: ReturnType<typeof useSubscription>[] = [];
  function Page() {
    useEffect(reportFirstPage, []);
    shown.push(useSubscription());
    return null;
  }
  await show(
    <DataProvider>
      <Page />
    </DataProvider>,
  );
  await act(() => waitFor(() => expect(shown.at(-1)?.info).toEqual(premium)));
  expect(shown[0]?.state).toBe("loading");
  await waitFor(() =>
    expect(sockets).toEqual([expect.objectContaining({ url: "/api/live", closed: false })]),
  );

  await act(async () => visitor.set({ kind: "anonymous" }));
  expect(shown.at(-1)).toMatchObject({
    state: "known",
    info: {
      subscriptionTier: "free",
      subscriptionStatus: "inactive",
      hourLimit: 1,
      timeUsedThisMonth: 0,
      subscriptionEnd: null,
    },
  });
  expect(sockets).toEqual([expect.objectContaining({ closed: true })]);
});

test("is fetched once after a sign-in, 1 s later, and not by the component that shows it", async () => {
  const { calls } = fakeServer({ [check]: () => premium });
  visitor.set({ kind: "anonymous" });
  vi.useFakeTimers();
  function Page() {
    useSubscription();
    return null;
  }
  await act(async () => setVisitor({ kind: "user", user: lin }));
  await show(
    <DataProvider>
      <Page />
    </DataProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(999));
  expect(calls).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(1));
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(calls).toEqual([check]);
  vi.useRealTimers();
});

test("is not fetched for a guest", async () => {
  const { calls } = fakeServer({ [check]: () => premium });
  visitor.set({ kind: "guest" });
  await checkSubscription();
  await refreshSubscription();
  expect(calls).toEqual([]);
  expect(getCachedSubscription()).toBeUndefined();
});
