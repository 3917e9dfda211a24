// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { visitor } from "#client/state/auth.ts";
import { alerts, dismissAlert } from "#client/state/notifications.ts";
import { recordingSession } from "#client/state/recording.ts";
import { confirmSignOut, signOut } from "#client/state/sign-out.ts";
import { holdRecording } from "./kit/recording.ts";
import { fakeServer } from "./kit/server.ts";

afterEach(() => vi.unstubAllGlobals());

it("signs out even if the recording could not be stopped", async () => {
  const server = fakeServer({ "auth.signOut": () => ({}) });
  visitor.set({ kind: "user", user: { id: "one", email: "one@example.edu", emailVerified: true } });
  const session = holdRecording();
  session.reset.mockRejectedValue(new Error("The disk is full"));
  await signOut();
  expect(session.reset).toHaveBeenCalledWith({ quiet: true });
  expect(server.calls).toEqual(["auth.signOut"]);
  expect(visitor.get()).toEqual({ kind: "anonymous" });
  expect(session.dispose).toHaveBeenCalled();
  expect(recordingSession.get()).toBeNull();
});

it("asks before it ends another tab's recording, and waits until that is saved", async () => {
  const name = "dualect-recording-tab";
  const held: { name: string }[] = [];
  let grant = () => {};
  const request = vi.fn((_name: string, { mode }: LockOptions) => {
    if (mode === "shared") held.push({ name });
    return new Promise<void>((resolve) => {
      if (mode !== "shared") grant = resolve;
    });
  });
  vi.stubGlobal("navigator", { locks: { query: async () => ({ held }), request } });
  // The recording of this tab is no other one.
  holdRecording();
  const end = vi.fn();
  await confirmSignOut(end);
  expect(end).toHaveBeenCalledOnce();

  held.push({ name });
  await confirmSignOut(end);
  const [question] = alerts.get();
  dismissAlert();
  expect(end).toHaveBeenCalledOnce();
  question?.actions?.[0]?.run();
  expect(request.mock.calls.at(-1)?.[0]).toBe(name);
  expect(end).toHaveBeenCalledOnce();
  grant();
  await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(2));
});
