// @vitest-environment happy-dom
import { getQueryKey } from "@trpc/react-query";
import { expect, test, vi } from "vitest";
import { openSession } from "../../../../src/client/features/recording/open-session.ts";
import type { Visitor } from "../../../../src/client/lib/auth.ts";
import { api, queryClient } from "../../../../src/client/lib/queries.tsx";
import { recordingSession } from "../../../../src/client/lib/recording.ts";
import { holdRecording } from "../lib/kit/recording.ts";

const made = vi.hoisted(() => vi.fn());
vi.mock("../../../../src/client/realtime/session.ts", () => ({ createRecordingSession: made }));
made.mockImplementation(() => holdRecording());

const user = (id: string): Extract<Visitor, { kind: "user" }> => ({
  kind: "user",
  user: { id, email: `${id}@example.edu`, emailVerified: true },
});

test("who signs in again finds the recording as it was, and what waited is tried again", async () => {
  const session = openSession(user("one"));
  const wake = vi.spyOn(session, "wake");
  expect(openSession(user("one"))).toBe(session);
  expect(recordingSession.get()).toBe(session);
  await vi.waitFor(() => expect(wake).toHaveBeenCalledOnce());
  expect(openSession(user("two"))).not.toBe(session);
});

test("the month's allowance is told as far as it is known", () => {
  openSession(user("three"));
  expect(made.mock.lastCall?.[0]).not.toHaveProperty("limitHours");
  const key = getQueryKey(api.subscriptions.check, undefined, "query");
  queryClient.setQueryData(key, { hourLimit: 20 });
  openSession(user("four"));
  expect(made.mock.lastCall?.[0]).toMatchObject({ limitHours: 20 });
});
