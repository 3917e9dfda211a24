// @vitest-environment happy-dom
import { act, useState } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { useField } from "#client/lib/hooks.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { searchTarget } from "#client/reading/search-target.ts";
import { storeSummaryOpen } from "#client/state/preferences.ts";
import {
  click,
  find,
  findButton,
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
  vi.spyOn(window, "matchMedia").mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList,
  );
  storeSummaryOpen(false);
});

async function clickFocused(name: string) {
  const button = await find("button", name);
  await act(async () => {
    button.focus();
    button.click();
  });
}
const sheet = () => document.querySelector<HTMLElement>("[data-sheet]");
const isShown = (shown: boolean) => waitFor(() => expect(sheet() !== null).toBe(shown));
const field = () => document.querySelector<HTMLTextAreaElement>("[data-sheet] textarea");
async function openSheet(name = "Summary") {
  await clickFocused(name);
  await isShown(true);
}

/** The page of a paused recording. */
async function page({ text = "", signedIn = true } = {}) {
  const { session } = recordingWith(3);
  session.view.set({ ...session.view.get(), status: "paused", hasRecording: true });
  session.summary.set({ text, state: "idle" });
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
  return session;
}

it("generates a first summary with one click, and replaces one only after a confirmation", async () => {
  const session = await page();
  const button = await find("button", "Generate Summary");
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await clickFocused("Generate Summary");
  expect(session.generateSummary).toHaveBeenCalledOnce();
  await isShown(true);
  await act(async () => session.summary.set({ text: "About", state: "generating" }));
  expect(findButton("Generating…")?.hasAttribute("disabled")).toBe(true);
  await waitFor(() => expect(sheet()?.textContent).toContain("About"));

  await act(async () => session.summary.set({ text: "About heat.", state: "idle" }));
  await clickFocused("Generate again");
  expect(session.generateSummary).toHaveBeenCalledOnce();
  await clickFocused("Cancel");
  await clickFocused("Generate again");
  await clickFocused("Replace");
  expect(session.generateSummary).toHaveBeenCalledTimes(2);
});

it("writes a summary by the chosen template, and keeps the person's own instructions", async () => {
  const stored: string[] = ["Only the jokes."];
  const { calls } = fakeServer({
    "profiles.summaryInstructions": () => stored.at(-1),
    "profiles.setSummaryInstructions": ({ instructions }: { instructions: string }) =>
      void stored.push(instructions),
  });
  const session = await page({ text: "About heat." });
  await openSheet();
  await click("Generate again");
  await click("Meeting", "input");
  await click("Replace");
  expect(session.generateSummary).toHaveBeenLastCalledWith("meeting");
  expect(calls).toEqual([]);

  await click("Generate again");
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
  await openSheet();
  const times = () => [...document.querySelectorAll<HTMLElement>("[data-row-time]")];
  await settle(() => expect(times()).toHaveLength(2));
  expect(sheet()?.querySelector("article")?.textContent).toContain(
    "We go 0:04. Not [0:05], nor 0:04(https://example.org) and [0:05]: Never.",
  );
  expect(sheet()?.querySelector("a")).toBeNull();
  await act(async () => times()[0]?.click());
  await settle(() => expect(searchTarget.get()?.place).toMatchObject({ type: "row", row: 1 }));
});

it("opens an existing summary without generating it, and Escape returns to its button", async () => {
  const session = await page({ text: "About heat." });
  await clickFocused("Summary");
  await waitFor(() => expect(document.activeElement).toBe(sheet()));
  expect(session.generateSummary).not.toHaveBeenCalled();
  expect(findButton("Summary")?.getAttribute("aria-expanded")).toBe("true");
  await press("Escape");
  expect(sheet()).toBeNull();
  expect(document.activeElement).toBe(findButton("Summary"));
});

it("shows a failure and keeps the earlier summary", async () => {
  const session = await page({ text: "About heat." });
  await openSheet();
  await act(async () => session.summary.set({ text: "About heat.", state: "failed" }));
  expect(sheet()?.textContent).toContain("The summary could not be generated.");
  await waitFor(() => expect(sheet()?.textContent).toContain("About heat."));
});

it("asks a guest to sign in", async () => {
  await page({ signedIn: false });
  await openSheet("Generate Summary");
  expect(sheet()?.textContent).toContain("Please sign in to use AI summary features");
});

it("is edited in the sheet and in full screen, but not while it is generated", async () => {
  const session = await page();
  await openSheet("Generate Summary");
  await clickFocused("Edit");
  expect(document.activeElement).toBe(field());
  await type(field(), "My own words");
  expect(session.setSummary.mock.lastCall).toEqual(["My own words"]);
  expect(field()?.value).toBe("My own words");
  await clickFocused("Cancel");
  expect(session.setSummary.mock.lastCall).toEqual([""]);
  await clickFocused("Edit");
  await clickFocused("Show the summary in full screen");
  expect(sheet()?.getAttribute("aria-modal")).toBe("true");
  await type(field(), "Other words");
  expect(session.setSummary.mock.lastCall).toEqual(["Other words"]);
  await act(async () => session.summary.set({ text: "The model's", state: "generating" }));
  expect(field()?.value).toBe("The model's");
  expect(field()?.readOnly).toBe(true);
});

it("copies the Markdown", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page({ text: "# Heat" });
  await openSheet();
  await clickFocused("Copy");
  expect(writeText).toHaveBeenCalledWith("# Heat");
});

it("opens with the page where it was left open, but never because a recording stops", async () => {
  await page({ text: "About heat." });
  await clickFocused("Summary");
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
  await openSheet();
  await clickFocused("Edit");
  await type(field(), "Mine.");
  await showLecture("second");
  await act(async () => session.summary.set({ text: "Of the second.", state: "idle" }));
  expect(field()?.value).toBe("Of the second.");
});
