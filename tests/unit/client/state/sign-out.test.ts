// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { visitor } from "#client/state/auth.ts";
import { recordingSession } from "#client/state/recording.ts";
import { signOut } from "#client/state/sign-out.ts";
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
