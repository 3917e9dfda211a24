// @vitest-environment happy-dom
import { getQueryKey } from "@trpc/react-query";
import { expect, test, vi } from "vitest";
import { openSession } from "#client/features/recording/open-session.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import { recordingSession } from "#client/state/recording.ts";
import type { Visitor } from "#client/state/visitor.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const made = vi.hoisted(() => vi.fn());
vi.mock("#client/recorder/recording-session.ts", () => ({ createRecordingSession: made }));
const checked = vi.hoisted(() => vi.fn(async () => {}));
vi.mock("#client/state/subscription.ts", async (original) => ({
  ...(await original<typeof import("#client/state/subscription.ts")>()),
  checkSubscription: checked,
}));
made.mockImplementation(() => holdRecording());

const actions = { openPlans: vi.fn(), signIn: vi.fn(), openTrash: vi.fn() };

const user = (id: string): Extract<Visitor, { kind: "user" }> => ({
  kind: "user",
  user: { id, email: `${id}@example.edu`, emailVerified: true },
});

test("returns the same session and retries pending saves when the same user signs in again", async () => {
  const session = openSession(user("one"), actions);
  const wake = vi.spyOn(session, "wake");
  expect(openSession(user("one"), actions)).toBe(session);
  expect(recordingSession.get()).toBe(session);
  await waitFor(() => expect(wake).toHaveBeenCalledOnce());
  expect(openSession(user("two"), actions)).not.toBe(session);
});

test("takes a user's allowance from the subscription, and passes none for a guest", async () => {
  openSession(user("three"), actions);
  const allowance = made.mock.lastCall?.[0].allowance;
  expect(allowance.getCached()).toBeNull();
  reportFirstPage();
  const key = getQueryKey(api.subscriptions.check, undefined, "query");
  queryClient.setQueryData(key, { hourLimit: 20, timeUsedThisMonth: 60 });
  const known = { usedSeconds: 60, limitSeconds: 72_000 };
  await waitFor(() => expect(allowance.getCached()).toEqual(known));

  checked.mockImplementationOnce(async () => {
    queryClient.setQueryData(key, { hourLimit: 1, timeUsedThisMonth: 3_600 });
  });
  expect(await allowance.fetch()).toEqual({ usedSeconds: 3_600, limitSeconds: 3_600 });

  openSession({ kind: "guest" }, actions);
  expect(made.mock.lastCall?.[0]).not.toHaveProperty("allowance");
});
