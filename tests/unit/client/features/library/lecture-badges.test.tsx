// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, expect, it } from "vitest";
import { LectureBadges } from "#client/features/library/lecture-badges.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { holdRecording } from "#tests/unit/client/state/kit/recording.ts";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

it("marks a lecture with unsent audio until it is transcribed", async () => {
  const box = document.createElement("div");
  const root = createRoot(box);
  await act(async () => root.render(<LectureBadges lecture={{ id: "a", status: "completed" }} />));
  expect(box.textContent).toBe("");
  const session = holdRecording();
  await act(async () => session.lecturesWithUnsentAudio.set(new Set(["a", "b"])));
  expect(box.textContent).toBe("Audio to be sent");
  await act(async () => root.render(<LectureBadges lecture={{ id: "b", status: "draft" }} />));
  expect(box.textContent).toBe("DraftAudio to be sent");
  await act(async () => session.lecturesWithUnsentAudio.set(new Set(["a"])));
  expect(box.textContent).toBe("Draft");
  await act(async () => root.render(<LectureBadges lecture={{ id: "a", status: "completed" }} />));
  await act(async () => endRecordingSession());
  expect(box.textContent).toBe("");
  await act(async () => root.unmount());
});
