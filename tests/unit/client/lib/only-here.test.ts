// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Visitor, visitor } from "../../../../src/client/lib/auth.ts";
import { alerts, dismissAlert } from "../../../../src/client/lib/notify.ts";
import { askBeforeEnding } from "../../../../src/client/lib/only-here.ts";
import { endSession } from "../../../../src/client/lib/recording.ts";
import { showLanguage } from "../../../../src/client/messages/bundle.ts";
import { commonMessages } from "../../../../src/client/messages/index.ts";
import { holdRecording } from "./kit/recording.ts";

const end = vi.fn();
const user: Visitor = {
  kind: "user",
  user: { id: "one", email: "one@example.edu", emailVerified: true },
};

beforeAll(() => Promise.all([showLanguage("en"), commonMessages.load()]));
beforeEach(() => end.mockReset());
afterEach(() => {
  endSession();
  while (alerts.get().length > 0) dismissAlert();
});

it("asks a guest whose words are nowhere else, and ends nothing before the answer", () => {
  visitor.set({ kind: "guest" });
  holdRecording();
  askBeforeEnding(end);
  expect(end).not.toHaveBeenCalled();
  const [question] = alerts.get();
  expect(question?.actions).toHaveLength(1);
  dismissAlert();
  expect(end).not.toHaveBeenCalled();
  question?.actions?.[0]?.run();
  expect(end).toHaveBeenCalledOnce();
});

it.each([
  ["a guest without words", { kind: "guest" } as const, false],
  ["a user, whose words are saved", user, true],
])("does not ask %s", (_, who, unsaved) => {
  visitor.set(who);
  const session = holdRecording();
  session.hasUnsavedChanges = () => unsaved;
  askBeforeEnding(end);
  expect(end).toHaveBeenCalledOnce();
  expect(alerts.get()).toEqual([]);
});
