// @vitest-environment happy-dom
import { act, useState } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { SummaryView } from "#client/lecture/lecture-document.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { useField } from "#client/lib/hooks.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { searchTarget } from "#client/reading/search-target.ts";
import { storeSideOpen } from "#client/state/preferences.ts";
import {
  click,
  collectToasts,
  find,
  findButton,
  getToastText,
  hide,
  press,
  settle,
  show,
  type,
} from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(async () => {
  await Promise.all([showLanguage("en"), readingDialogMessages.load()]);
  reportFirstPage();
});
beforeEach(() => {
  setWidth(1024);
  storeSideOpen(false);
});

/** From 1200 px on there is a column beside the text. */
const setWidth = (width: number) =>
  (window as unknown as import("happy-dom").Window).happyDOM.setViewport({ width });

async function clickFocused(name: string) {
  const button = await find("button", name);
  await act(async () => {
    button.focus();
    button.click();
  });
}
const part = () => document.querySelector<HTMLElement>("[data-part]:not(.invisible)");
const isShown = (shown: boolean) => waitFor(() => expect(part() !== null).toBe(shown));
const field = () => document.querySelector<HTMLTextAreaElement>("[data-part] textarea");
async function openSummary() {
  await clickFocused("Summary");
  await waitFor(() => expect(part()?.textContent).not.toBe(""));
}

const toasts = collectToasts(getToastText);

/** The page of a paused recording. `change` changes its summary. */
async function page({ text = "", draft = null as string | null, signedIn = true } = {}) {
  const { session } = recordingWith(3);
  session.view.set({ ...session.view.get(), status: "paused", hasRecording: true });
  const change = (next: Partial<SummaryView>) =>
    act(async () => session.summary.set({ ...session.summary.get(), ...next }));
  await change({ text, draft });
  function Sample() {
    const hasRecording = useField(session.view, "hasRecording");
    const [expanded, setExpanded] = useState<ExpandedPart>(null);
    return (
      <ReadingSurface
        lecture={session}
        empty={() => null}
        summary={hasRecording ? { signedIn } : null}
        expanded={expanded}
        onExpand={setExpanded}
      />
    );
  }
  await show(<Sample />);
  return { ...session, change };
}

it("says that there is no summary, and generates one only when that is asked for", async () => {
  const session = await page();
  const tab = await find("[role=tab]", "Summary");
  expect(tab.getAttribute("aria-selected")).toBe("false");
  await openSummary();
  expect(tab.getAttribute("aria-selected")).toBe("true");
  expect(session.generateSummary).not.toHaveBeenCalled();
  expect(part()?.textContent).toContain("No summary available");
  expect(findButton("Write")).toBeDefined();
  await clickFocused("Generate Summary");
  expect(session.generateSummary).toHaveBeenCalledOnce();
  await session.change({ text: "About", state: "generating" });
  expect(findButton("Generate Summary")).toBeUndefined();
  await waitFor(() => expect(part()?.textContent).toContain("About"));
  expect(part()?.textContent).not.toContain("No summary available");
});

it("replaces a summary only after a confirmation", async () => {
  const session = await page({ text: "About heat." });
  await openSummary();
  await clickFocused("Write again…");
  expect(session.generateSummary).not.toHaveBeenCalled();
  await clickFocused("Cancel");
  await clickFocused("Write again…");
  await clickFocused("Replace");
  expect(session.generateSummary).toHaveBeenCalledOnce();
});

it("writes a summary by the chosen template, and keeps the person's own instructions", async () => {
  const stored: string[] = ["Only the jokes."];
  const { calls } = fakeServer({
    "profiles.summaryInstructions": () => stored.at(-1),
    "profiles.setSummaryInstructions": ({ instructions }: { instructions: string }) =>
      void stored.push(instructions),
  });
  const session = await page({ text: "About heat." });
  await openSummary();
  await click("Write again…");
  await click("Meeting", "input");
  await click("Replace");
  expect(session.generateSummary).toHaveBeenLastCalledWith("meeting");
  expect(calls).toEqual([]);

  await click("Write again…");
  await click("My own", "input");
  const instructions = () => document.querySelector<HTMLTextAreaElement>("form textarea");
  await settle(() => expect(instructions()?.value).toBe("Only the jokes."));
  await type(instructions(), " ");
  expect(findButton("Replace")?.hasAttribute("disabled")).toBe(true);
  await type(instructions(), "Only the dates. ");
  await click("Replace");
  await settle(() => expect(session.generateSummary).toHaveBeenLastCalledWith("own"));
  expect(stored.at(-1)).toBe("Only the dates.");
});

it("opens the row of a time that it cites, and leaves other times as text", async () => {
  const text = "We go [0:04]. Not [0:05], nor [0:04](https://example.org) and [0:05]: Never.";
  await page({ text });
  await openSummary();
  const times = () => [...document.querySelectorAll<HTMLElement>("[data-row-time]")];
  await settle(() => expect(times()).toHaveLength(2));
  expect(part()?.querySelector("article")?.textContent).toContain(
    "We go 0:04. Not [0:05], nor 0:04(https://example.org) and [0:05]: Never.",
  );
  expect(part()?.querySelector("a")).toBeNull();
  await act(async () => times()[0]?.click());
  await settle(() => expect(searchTarget.get()?.place).toMatchObject({ type: "row", row: 1 }));
});

it("opens an existing summary without generating it, and Escape returns to the text", async () => {
  const session = await page({ text: "About heat." });
  await openSummary();
  expect(session.generateSummary).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(await find("[role=tab]", "Summary"));
  await press("ArrowLeft");
  await isShown(false);
  await press("ArrowRight");
  await isShown(true);
  await act(async () => part()?.querySelector("article")?.focus());
  await press("Escape");
  await settle(() => expect(document.activeElement?.tagName).toBe("SECTION"));
  expect(part()).toBeNull();
});

it("stands beside the text in a wide window, where it is closed and opened by one button", async () => {
  setWidth(1440);
  await page({ text: "About heat." });
  const button = await find("button", "Summary and questions");
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await clickFocused("Summary and questions");
  await waitFor(() => expect(part()?.textContent).toContain("About heat."));
  expect(button.getAttribute("aria-expanded")).toBe("true");
  await clickFocused("Summary and questions");
  await isShown(false);
});

it("says nothing of a failure, of which a toast tells, and keeps the earlier summary", async () => {
  const session = await page({ text: "About heat." });
  await openSummary();
  const before = part()?.textContent;
  await session.change({ text: "", state: "generating" });
  await session.change({ text: "About heat.", state: "idle" });
  await settle(() => expect(part()?.textContent).toBe(before));
});

it("asks a guest to sign in for a generated summary, and lets them write one", async () => {
  const session = await page({ signedIn: false });
  await openSummary();
  expect(part()?.textContent).toContain("No summary available");
  expect(part()?.textContent).toContain("Please sign in to use AI summary features");
  await clickFocused("Write");
  await type(field(), "Mine.");
  await clickFocused("Read");
  expect(session.saveSummary).toHaveBeenCalledOnce();
  expect(toasts).toEqual([]);
});

it("is edited in its place, and in full screen beside the text that it makes", async () => {
  setWidth(1440);
  const session = await page();
  await clickFocused("Summary and questions");
  await clickFocused("Write");
  expect(document.activeElement).toBe(field());
  await type(field(), "My own words");
  expect(field()?.value).toBe("My own words");
  await clickFocused("Cancel");
  expect(session.summary.get()).toMatchObject({ text: "", draft: null });
  expect(session.saveSummary).not.toHaveBeenCalled();
  expect(part()?.textContent).toContain("No summary available");
  await clickFocused("Write");
  await clickFocused("Show the summary in full screen");
  expect(part()?.getAttribute("aria-modal")).toBe("true");
  await type(field(), "Other words");
  await waitFor(() => expect(part()?.querySelector("article")?.textContent).toBe("Other words"));
});

it("stays in full screen in a window that becomes narrow, and is then in the tab that one returns to", async () => {
  setWidth(1440);
  await page();
  await clickFocused("Summary and questions");
  await clickFocused("Write");
  await clickFocused("Show the summary in full screen");
  await act(async () => setWidth(390));
  expect(part()?.getAttribute("aria-modal")).toBe("true");
  await type(field(), "My own words");
  await clickFocused("Leave full screen");
  expect(part()?.hasAttribute("aria-modal")).toBe(false);
  expect(field()?.value).toBe("My own words");
  expect((await find("[role=tab]", "Summary")).getAttribute("aria-selected")).toBe("true");
});

it("is saved by itself soon after it was written, and when it is left", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const session = await page({ text: "About heat." });
  await openSummary();
  await clickFocused("Edit");
  await type(field(), "About heat and work.");
  expect(session.summary.get()).toMatchObject({
    text: "About heat.",
    draft: "About heat and work.",
  });
  await act(async () => vi.advanceTimersByTime(2_000));
  expect(session.summary.get()).toMatchObject({ text: "About heat and work.", draft: null });
  expect(field()?.value).toBe("About heat and work.");
  await type(field(), "About work.");
  await hide();
  expect(session.summary.get()).toMatchObject({ text: "About work.", draft: null });
  vi.useRealTimers();
});

it("goes back to what it was before it was edited, also when that was saved already", async () => {
  const session = await page({ text: "About heat." });
  await openSummary();
  await clickFocused("Edit");
  await type(field(), "About work.");
  await act(async () => session.keepSummary());
  await clickFocused("Cancel");
  expect(session.summary.get()).toMatchObject({ text: "About heat.", draft: null });
});

it("stays open until Save Summary has succeeded, and then says so", async () => {
  const session = await page({ text: "About heat." });
  await openSummary();
  await clickFocused("Edit");
  await type(field(), "About heat and work.");
  const saving = Promise.withResolvers<boolean>();
  session.saveSummary.mockImplementation(() => {
    session.summary.set({ ...session.summary.get(), state: "saving" });
    return saving.promise;
  });
  await clickFocused("Save Summary");
  expect(findButton("Saving…")?.hasAttribute("disabled")).toBe(true);
  expect(findButton("Cancel")?.hasAttribute("disabled")).toBe(true);
  expect(field()?.readOnly).toBe(true);
  // The server refuses it.
  await session.change({ state: "idle" });
  await act(async () => saving.resolve(false));
  expect(field()?.value).toBe("About heat and work.");
  expect(toasts).toEqual([]);

  session.saveSummary.mockImplementation(async () => {
    session.summary.set({ text: "About heat and work.", draft: null, state: "idle" });
    return true;
  });
  await clickFocused("Save Summary");
  expect(toasts).toEqual(["Saved"]);
  expect(findButton("Edit")).toBeDefined();
});

it("keeps the field while the text is looked at", async () => {
  await page({ text: "About heat." });
  await openSummary();
  await clickFocused("Edit");
  await type(field(), "Mine.");
  await clickFocused("Transcript");
  await isShown(false);
  await openSummary();
  expect(field()?.value).toBe("Mine.");
});

it("copies the Markdown", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page({ text: "# Heat" });
  await openSummary();
  await clickFocused("Edit");
  await clickFocused("Copy");
  expect(writeText).toHaveBeenCalledWith("# Heat");
});

it("opens with the page where it was left open, but never because a recording stops", async () => {
  setWidth(1440);
  await page({ text: "About heat." });
  await clickFocused("Summary and questions");
  await hide();
  const session = await page({ text: "About heat." });
  await isShown(true);
  // A new lecture, which is recorded and stopped.
  const view = session.view.get();
  await act(async () => session.view.set({ ...view, hasRecording: false, status: "ready" }));
  await isShown(false);
  await act(async () => session.view.set({ ...view, hasRecording: false, status: "recording" }));
  await act(async () => session.view.set({ ...view, hasRecording: true, status: "paused" }));
  await isShown(false);
  // Another lecture is opened.
  await act(async () => session.view.set({ ...view, busy: "loading" }));
  await act(async () => session.view.set(view));
  await isShown(true);
});

it("does not take what is written into another lecture that is opened meanwhile", async () => {
  const session = await page({ text: "Of the first." });
  const showLecture = (id: string) =>
    act(async () => {
      const lecture = createLectureInfo({ id, title: id });
      session.view.set({ ...session.view.get(), lecture });
    });
  await showLecture("first");
  await openSummary();
  await clickFocused("Edit");
  await type(field(), "Mine.");
  // The draft is the first one's, to which it stays.
  await showLecture("second");
  await session.change({ text: "Of the second.", draft: null });
  await isShown(false);
  await openSummary();
  expect(field()).toBeNull();
  expect(part()?.textContent).toContain("Of the second.");
});
