// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import type { TranscriptTransfer } from "#client/lecture/initial-state.ts";
import { recordingSession, takeGuestTranscript } from "#client/state/recording.ts";
import { type Visitor, visitor } from "#client/state/visitor.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";

/** Only handed on. */
const transfer = { recordedSeconds: 12 } as TranscriptTransfer;

/** Whether the browser asks before it closes the page. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

beforeEach(() => visitor.set(createUser("one", false)));

describe("a tab's recording", () => {
  it.each<[string, Visitor]>([
    ["its user continues as a guest", { kind: "guest" }],
    ["somebody else signs in", createUser("two")],
  ])("ends when %s", (_name, next) => {
    const session = holdRecording();
    visitor.set(next);
    expect(session.dispose).toHaveBeenCalledOnce();
    expect(recordingSession.get()).toBeNull();
  });

  it("ends when its user has signed out and all is saved", () => {
    const session = holdRecording();
    session.hasUnsavedChanges = () => false;
    visitor.set({ kind: "anonymous" });
    expect(session.dispose).toHaveBeenCalledOnce();
  });

  it("stops and keeps unsaved words for the user who signed out", () => {
    const session = holdRecording();
    visitor.set({ kind: "anonymous" });
    expect(session.stop).toHaveBeenCalledOnce();
    expect(session.dispose).not.toHaveBeenCalled();
    visitor.set(createUser("one", false));
    expect(recordingSession.get()).toBe(session);
    visitor.set({ kind: "anonymous" });
    visitor.set(createUser("two"));
    expect(session.dispose).toHaveBeenCalledOnce();
  });

  it("ends when a guest signs in, and hands over the transcript", () => {
    visitor.set({ kind: "guest" });
    const session = holdRecording();
    session.exportGuestTranscript.mockReturnValue(transfer);
    visitor.set(createUser("one", false));
    expect(session.dispose).toHaveBeenCalledOnce();
    expect(asksBeforeLeaving()).toBe(true);
    expect(takeGuestTranscript()).toBe(transfer);
    expect(takeGuestTranscript()).toBeNull();
    expect(asksBeforeLeaving()).toBe(false);
  });

  it("hands a guest's transcript only to the user who signed in", () => {
    visitor.set({ kind: "guest" });
    holdRecording().exportGuestTranscript.mockReturnValue(transfer);
    visitor.set(createUser("one", false));
    visitor.set(createUser("two"));
    expect(takeGuestTranscript()).toBeNull();
  });

  it.each<[string, Visitor]>([
    ["signs in", createUser("one", false)],
    ["continues as a guest", { kind: "guest" }],
  ])("drops the transcript of a guest who has left when somebody %s", (_name, next) => {
    visitor.set({ kind: "guest" });
    const session = holdRecording();
    session.exportGuestTranscript.mockReturnValue(transfer);
    visitor.set({ kind: "anonymous" });
    expect(session.dispose).not.toHaveBeenCalled();
    visitor.set(next);
    expect(session.dispose).toHaveBeenCalledOnce();
    expect(takeGuestTranscript()).toBeNull();
  });

  it("stays when the address of its user is confirmed", () => {
    const session = holdRecording();
    visitor.set(createUser("one"));
    expect(session.dispose).not.toHaveBeenCalled();
    expect(recordingSession.get()).toBe(session);
  });

  it("is continued after an expired session only by the same user", () => {
    const session = holdRecording();
    visitor.set({ kind: "anonymous", expired: true });
    visitor.set(createUser("one", false));
    expect(recordingSession.get()).toBe(session);
    visitor.set({ kind: "anonymous", expired: true });
    expect(session.dispose).not.toHaveBeenCalled();
    visitor.set(createUser("two"));
    expect(session.dispose).toHaveBeenCalledOnce();
    expect(recordingSession.get()).toBeNull();
  });
});
