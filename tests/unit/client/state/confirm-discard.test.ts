// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";
import { alerts, dismissAlert } from "#client/lib/notifications.ts";
import { confirmDiscard } from "#client/state/confirm-discard.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { type Visitor, visitor } from "#client/state/visitor.ts";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { lin } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const end = vi.fn();
const signIn = vi.fn();
const user: Visitor = { kind: "user", user: lin };

beforeAll(() => Promise.all([showLanguage("en"), commonMessages.load()]));
beforeEach(() => end.mockReset());
afterEach(() => {
  endRecordingSession();
  while (alerts.get().length > 0) dismissAlert();
});

it("asks a guest with an unsaved transcript, and ends nothing before the answer", async () => {
  visitor.set({ kind: "guest" });
  recordingWith(1);
  confirmDiscard(end, signIn);
  await waitFor(() => expect(alerts.get()).toHaveLength(1));
  expect(end).not.toHaveBeenCalled();
  const [question] = alerts.get();
  // The last button is the recommended one: it keeps the transcript.
  expect(question?.actions?.map(({ label }) => label)).toEqual(["Discard", "Keep: Sign In"]);
  question?.actions?.[1]?.run();
  expect(signIn).toHaveBeenCalledOnce();
  expect(end).not.toHaveBeenCalled();
  dismissAlert();
  expect(end).not.toHaveBeenCalled();
  question?.actions?.[0]?.run();
  expect(end).toHaveBeenCalledOnce();
});

it("asks a guest with sound that has no words, and does not promise to keep it", async () => {
  visitor.set({ kind: "guest" });
  holdRecording();
  confirmDiscard(end, signIn);
  await waitFor(() => expect(alerts.get()).toHaveLength(1));
  const [question] = alerts.get();
  expect(question?.text).toContain("signing in does not keep it");
  expect(question?.actions?.map(({ label }) => label)).toEqual(["Discard", "Stay here"]);
  question?.actions?.[1]?.run();
  expect(end).not.toHaveBeenCalled();
  question?.actions?.[0]?.run();
  expect(end).toHaveBeenCalledOnce();
});

it.each([
  ["a guest without words or sound", { kind: "guest" } as const, false],
  ["a user, whose words are saved", user, true],
])("does not ask %s", (_, who, unsaved) => {
  visitor.set(who);
  const session = holdRecording();
  session.hasUnsavedChanges = () => unsaved;
  confirmDiscard(end, signIn);
  expect(end).toHaveBeenCalledOnce();
  expect(alerts.get()).toEqual([]);
});
