// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, expect, it } from "vitest";
import { DraftDot, UnsentBadge } from "#client/features/library/lecture-badges.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { holdRecording } from "#tests/unit/client/state/kit/recording.ts";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

beforeAll(() => Promise.all([showLanguage("en"), libraryMessages.load()]));

it("marks a lecture with unsent audio until it is transcribed", async () => {
  const box = document.createElement("div");
  const root = createRoot(box);
  await act(async () => root.render(<UnsentBadge lecture={{ id: "a" }} />));
  expect(box.textContent).toBe("");
  const session = holdRecording();
  await act(async () => session.lecturesWithUnsentAudio.set(new Set(["a", "b"])));
  expect(box.textContent).toBe("Audio to be sent");
  await act(async () => session.lecturesWithUnsentAudio.set(new Set(["b"])));
  expect(box.textContent).toBe("");
  await act(async () => root.render(<UnsentBadge lecture={{ id: "b" }} />));
  expect(box.textContent).toBe("Audio to be sent");
  await act(async () => endRecordingSession());
  expect(box.textContent).toBe("");
  await act(async () => root.unmount());
});

it("names the dot of a draft, and shows none for a saved lecture", async () => {
  const box = document.createElement("div");
  const root = createRoot(box);
  await act(async () => root.render(<DraftDot lecture={{ status: "draft" }} />));
  const dot = box.querySelector("[role=img]");
  expect(dot?.getAttribute("aria-label")).toBe("Draft");
  expect(dot?.getAttribute("title")).toBe("Draft");
  await act(async () => root.render(<DraftDot lecture={{ status: "completed" }} />));
  expect(box.innerHTML).toBe("");
  await act(async () => root.unmount());
});
