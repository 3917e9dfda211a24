// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it } from "vitest";
import { DemoBadge, DraftBadge, UnsentBadge } from "#client/features/library/lecture-details.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

it("marks a lecture with unsent audio until it is transcribed", async () => {
  await show(<UnsentBadge lecture={{ id: "a" }} />);
  expect(document.body.textContent).toBe("");
  const session = holdRecording();
  await act(async () => session.lecturesWithUnsentAudio.set(new Set(["a", "b"])));
  expect(document.body.textContent).toBe("Audio to be sent");
  await act(async () => session.lecturesWithUnsentAudio.set(new Set(["b"])));
  expect(document.body.textContent).toBe("");
  await show(<UnsentBadge lecture={{ id: "b" }} />);
  expect(document.body.textContent).toBe("Audio to be sent");
  await act(async () => endRecordingSession());
  expect(document.body.textContent).toBe("");
});

it("calls a draft so, and not a saved lecture", async () => {
  await show(<DraftBadge lecture={{ status: "draft" }} />);
  expect(document.body.textContent).toBe("Draft");
  await show(<DraftBadge lecture={{ status: "completed" }} />);
  expect(document.querySelector("#root")?.innerHTML).toBe("");
});

it("labels a lecture with text of the demo voice, in both languages", async () => {
  await show(<DemoBadge lecture={{ hasDemoText: false }} />);
  expect(document.body.textContent).toBe("");
  await show(<DemoBadge lecture={{ hasDemoText: true }} />);
  expect(document.body.textContent).toBe("Demo");
  await act(() => showLanguage("zh"));
  expect(document.body.textContent).toBe("演示");
  await act(() => showLanguage("en"));
});
