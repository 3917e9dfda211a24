// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { Signal } from "#client/lib/observable.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { shownSound } from "#client/reading/reading-state.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { click, findButton, press, show, type } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";

let session: ReturnType<typeof recordingWith>["session"];

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(async () => {
  ({ session } = recordingWith(6));
  await show(<Surface lecture={session} />);
  await waitForRows();
});

const touch = (position: number, detail = 1) =>
  act(async () => {
    findRow(position)?.focus();
    findRow(position)?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
  });
const toolbar = () => document.querySelector("[role=toolbar]");
const listTools = () =>
  [...(toolbar()?.querySelectorAll("button") ?? [])].map((one) => one.textContent);
const listTouched = () =>
  [...document.querySelectorAll("[data-touched]")].map((row) => row.getAttribute("data-row"));

it("stand in the touched row, until it is touched again, another one is, or Escape is pressed", async () => {
  await touch(2);
  expect(findRow(2)?.contains(toolbar())).toBe(true);
  expect(listTools()).toEqual(["Hear", "Mark", "Note", "Look up", "Correct", "Copy"]);
  expect(listTouched()).toEqual(["2"]);
  await touch(4);
  expect(findRow(4)?.contains(toolbar())).toBe(true);
  expect(listTouched()).toEqual(["4"]);
  await touch(4);
  expect(toolbar()).toBeNull();
  expect(listTouched()).toEqual([]);
  await touch(1);
  await press("Escape");
  expect(toolbar()).toBeNull();
  expect(document.activeElement).toBe(findRow(1));
});

it("leave the page to itself where it is read on, or where words are selected", async () => {
  await touch(2, 2);
  expect(toolbar()).toBeNull();
  // The first click of a double click has opened them.
  await touch(2);
  await touch(2, 2);
  expect(toolbar()).toBeNull();
  await touch(2);
  const page = document.querySelector("section");
  await act(async () => {
    if (page) page.scrollTop = 40;
    page?.dispatchEvent(new Event("scroll"));
  });
  expect(toolbar()).not.toBeNull();
  await act(async () => {
    if (page) page.scrollTop = 80;
    page?.dispatchEvent(new Event("scroll"));
  });
  expect(toolbar()).toBeNull();
});

it("correct, mark, copy, and open the note of the touched row", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await touch(3);
  await click("Correct");
  expect(findRow(3)?.querySelector("textarea")?.value).toBe("Sentence 3.");
  expect(toolbar()).toBeNull();
  await press("Escape");
  await touch(2);
  await click("Mark");
  expect(session.addMark).toHaveBeenCalledExactlyOnceWith(2);
  await click("Copy");
  expect(writeText).toHaveBeenCalledExactlyOnceWith("Sentence 2.\n第2句。");
  await touch(4);
  await click("Note");
  expect(session.addMark).toHaveBeenLastCalledWith(4);
});

it("have the sound begin at the touched row, once it is no double click", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const seek = vi.fn();
  const state = new Signal({ isPlaying: false, ms: 0 });
  const hasSoundAt = () => true;
  await act(async () => shownSound.set({ state, seek, hasSoundAt } as unknown as SoundPlayer));
  const { startMs } = session.transcript.rows()[3] ?? {};
  await touch(3);
  await touch(3, 2);
  vi.runAllTimers();
  expect(seek).not.toHaveBeenCalled();
  await touch(3);
  vi.runAllTimers();
  expect(seek).toHaveBeenCalledExactlyOnceWith(startMs);
  await act(async () => shownSound.set(null));
  vi.useRealTimers();
});

it("correct with the sound paused, at Enter, which leaves the text on one line", async () => {
  const pause = vi.fn();
  const state = new Signal({ isPlaying: true, ms: 0 });
  shownSound.set({ state, pause, hasSoundAt: () => true } as unknown as SoundPlayer);
  await touch(3);
  await click("Correct");
  expect(pause).toHaveBeenCalledOnce();
  const field = findRow(3)?.querySelector("textarea");
  await type(field, "Sentence three.");
  await act(async () =>
    field?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
    ),
  );
  expect(findRow(3)?.querySelector("textarea")).toBeNull();
  expect(session.correctRow).toHaveBeenCalledExactlyOnceWith(
    3,
    { original: "Sentence three." },
    expect.anything(),
  );
  shownSound.set(null);
});

it("hold the end of a recording that is followed, and let it go on when they close", async () => {
  const isHeld = () => findButton("Back to live") !== undefined;
  expect(isHeld()).toBe(false);
  await touch(2);
  expect(isHeld()).toBe(true);
  await touch(3);
  await touch(3);
  expect(isHeld()).toBe(false);
  await touch(2);
  await press("Escape");
  expect(isHeld()).toBe(false);
  // What is corrected stays.
  await touch(2);
  await click("Correct");
  expect(isHeld()).toBe(true);
});

it("leave a recording to itself where one has scrolled back before", async () => {
  await touch(2);
  const page = document.querySelector("section");
  await act(async () => {
    if (page) page.scrollTop = 80;
    page?.dispatchEvent(new Event("scroll"));
  });
  await touch(1);
  await touch(1);
  expect(findButton("Back to live")).toBeDefined();
});

it("are not offered where nothing can be changed", async () => {
  const reader = { ...recordingWith(3).session, isReadOnly: true };
  await show(<Surface lecture={reader} />);
  await waitForRows();
  await touch(1);
  expect(toolbar()).toBeNull();
});
