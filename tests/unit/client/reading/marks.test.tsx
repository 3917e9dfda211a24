// @vitest-environment happy-dom
import { act, Suspense } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { LectureMarks } from "#client/lecture/lecture-marks.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { MarkButton } from "#client/reading/lazy-parts.tsx";
import { openRow, searchTarget } from "#client/reading/search-target.ts";
import { markedOnly } from "#client/reading/use-marks.ts";
import type { Mark } from "#shared/lecture.ts";
import {
  collectToasts,
  findButton,
  hide,
  press,
  settle,
  show,
  type,
} from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { createLine } from "#tests/unit/client/kit/rows.ts";

/** Rows begin every 4 s; the sentence being spoken begins where the next row would. */
const rowCount = 12;
const liveStart = rowCount * 4_000;

let marks: LectureMarks;
let setLive: (isSpeaking: boolean) => Promise<void>;
const toasts = collectToasts();
let isFull: boolean;
let view: ReturnType<typeof recordingWith>["session"]["view"];

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(async () => {
  const { session, transcript } = recordingWith(rowCount);
  ({ view } = session);
  marks = new LectureMarks([], true);
  isFull = false;
  let count = 0;
  const lecture = {
    ...session,
    marks: marks.list,
    addMark(position: number | null) {
      if (isFull) return null;
      count += 1;
      const start = position === null ? liveStart : position * 4_000;
      const mark = { id: `mark-${count}`, atMs: start + 1_000, position: null, note: "" };
      marks.put(mark);
      return mark;
    },
    putMark: (mark: Mark) => marks.put(mark),
    deleteMark(mark: Mark) {
      marks.delete(mark.id);
      return () => marks.put(mark);
    },
  };
  setLive = (isSpeaking) =>
    act(async () => transcript.setLive(isSpeaking ? createLine({ startMs: liveStart }) : null));
  await setLive(true);
  await show(
    <Surface lecture={lecture}>
      <Suspense>
        <MarkButton lecture={lecture} />
      </Suspense>
    </Surface>,
  );
  await waitForRows();
  await settle(() => expect(markButton()).toBeDefined());
});
afterEach(() => markedOnly.set(false));

const listRows = () =>
  [...document.querySelectorAll<HTMLElement>("[data-row]")].map(({ dataset }) => dataset.row);
const listFlagged = () =>
  [...document.querySelectorAll("[data-mark]")].map(
    (flag) => flag.closest<HTMLElement>("[data-row]")?.dataset.row ?? "live",
  );
const markButton = () => findButton("Mark what is being said");
const click = (target: Element | null | undefined) =>
  act(async () => {
    target?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
async function pressIn(position: number, key: string) {
  findRow(position)?.focus();
  await press(key);
}
const note = () => document.querySelector<HTMLTextAreaElement>("[role=dialog] textarea");
const announced = () =>
  [...document.querySelectorAll("[role=status]")].map(({ textContent }) => textContent);

it("marks the sentence being spoken with M, and removes the mark with a second M", async () => {
  await press("m");
  expect(listFlagged()).toEqual(["live"]);
  expect(announced()).toContain("Marked");
  expect(markButton()?.getAttribute("aria-pressed")).toBe("true");
  await press("m");
  expect(listFlagged()).toEqual([]);
  expect(announced()).toContain("Mark removed");
});

it("announces each mark, and none that the lecture has no room for", async () => {
  await pressIn(3, "m");
  const region = [...document.querySelectorAll("[role=status]")].find(
    ({ textContent }) => textContent === "Marked",
  );
  const before = region?.firstChild;
  await pressIn(4, "m");
  const after = region?.firstChild;
  expect(after).not.toBe(before);
  isFull = true;
  await pressIn(5, "m");
  expect(region?.firstChild).toBe(after);
});

it("marks the focused sentence with M, and none while a text is written", async () => {
  await pressIn(3, "m");
  expect(listFlagged()).toEqual(["3"]);
  await press("Enter");
  await press("m");
  await press("n");
  expect(marks.list.get()).toHaveLength(1);
  expect(note()).toBeNull();
});

it("marks the last sentence by the button while nothing is said, and shows the time of each", async () => {
  await setLive(false);
  marks.put({ id: "late", atMs: liveStart + 1_000, position: null, note: "" });
  await act(async () => {});
  expect(listFlagged()).toEqual([String(rowCount - 1)]);
  await click(markButton());
  expect(marks.list.get()).toEqual([]);
  await pressIn(1, "m");
  expect(findRow(1)?.textContent).toContain("0:04");
});

it("writes a note on the focused sentence with N, and returns the focus to it", async () => {
  await pressIn(2, "n");
  expect(document.activeElement).toBe(note());
  await type(note(), "Exam?");
  await press("Enter", { ctrlKey: true });
  expect(note()).toBeNull();
  expect(document.activeElement).toBe(findRow(2));
  expect(findRow(2)?.textContent).toContain("Exam?");
});

it("leaves no mark for a note that is not written, and discards a change on Escape", async () => {
  await press("n");
  await type(note(), "Never mind");
  await press("Escape");
  expect(marks.list.get()).toEqual([]);

  await press("n");
  await type(note(), "Kept");
  await click(findButton("Done"));
  await press("n");
  expect(note()?.value).toBe("Kept");
  await type(note(), "Changed");
  await press("Escape");
  expect(marks.list.get().map((mark) => mark.note)).toEqual(["Kept"]);
});

it("saves a note that is left by a click elsewhere, or with the page", async () => {
  await press("n");
  await type(note(), "First");
  await act(async () => {
    findRow(0)?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  });
  expect(note()).toBeNull();
  expect(marks.list.get()[0]?.note).toBe("First");
  await click(document.querySelector("[data-mark]"));
  await type(note(), "Second");
  await hide();
  expect(marks.list.get()[0]?.note).toBe("Second");
});

it("saves a note when another lecture begins to load", async () => {
  await press("n");
  await type(note(), "First");
  await act(async () => view.set({ ...view.get(), busy: "loading" }));
  expect(note()).toBeNull();
  expect(marks.list.get()[0]?.note).toBe("First");
  await click(document.querySelector("[data-mark]"));
  expect(note()).toBeNull();
});

it("deletes a note with an undo", async () => {
  await pressIn(5, "n");
  await type(note(), "Precious");
  await click(findButton("Done"));
  await click(findRow(5)?.querySelector("[data-mark]"));
  await click(findButton("Remove mark"));
  expect(marks.list.get()).toEqual([]);
  expect(toasts.map(({ title }) => title)).toEqual(["Note deleted"]);
  await act(async () => toasts[0]?.action?.run());
  expect(marks.list.get()[0]?.note).toBe("Precious");
  expect(listFlagged()).toEqual(["5"]);
});

it("shows only marked sentences, with a way back, and the arrow keys move between them", async () => {
  for (const position of [1, 7]) await pressIn(position, "m");
  await act(async () => markedOnly.set(true));
  expect(listRows()).toEqual(["1", "7"]);
  expect(announced()).toContain("2 marked sentences");
  findRow(1)?.focus();
  await press("ArrowDown");
  expect(document.activeElement).toBe(findRow(7));
  await press("m");
  await pressIn(1, "m");
  expect(listRows()).toEqual([]);
  expect(announced().join()).toContain("Nothing is marked yet.");
  await click(findButton("Show all"));
  expect(listRows()).toHaveLength(rowCount);
});

it("shows all sentences again for one that an answer leads to, unless it is marked", async () => {
  await pressIn(1, "m");
  await act(async () => markedOnly.set(true));
  await act(async () => openRow({ position: 1 }));
  await settle(() => expect(document.activeElement).toBe(findRow(1)));
  expect(listRows()).toEqual(["1"]);
  await act(async () => openRow({ position: 4 }));
  await settle(() => expect(findRow(4)).not.toBeNull());
  await settle(() => expect(document.activeElement).toBe(findRow(4)));
  searchTarget.set(null);
});
