// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { captionControl } from "#client/reading/reading-state.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { endRecordingSession, setRecordingSession } from "#client/state/recording.ts";
import { chooseTheme } from "#client/state/theme.ts";
import { settle } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo, recordingView } from "#tests/unit/client/kit/recording.ts";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";

await import("#client/features/recording/captions/caption-control.ts");

let session: ReturnType<typeof recordingWith>["session"];
let transcript: ReturnType<typeof recordingWith>["transcript"];

/** A window as the browser opens it: empty, and `close` tells the page. */
function createWindow() {
  const page = document.implementation.createHTMLDocument();
  const close = vi.fn(() => void shown.dispatchEvent(new Event("pagehide")));
  const size = { innerWidth: 460, innerHeight: 380 };
  const shown = Object.assign(new EventTarget(), { document: page, closed: false, close, ...size });
  return { shown, page, close };
}
let opened: ReturnType<typeof createWindow>;
const requestWindow = vi.fn(async () => opened.shown);
const openPopup = vi.fn<(...request: unknown[]) => unknown>(() => opened.shown);

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(async () => {
  localStorage.clear();
  vi.stubGlobal("documentPictureInPicture", { requestWindow });
  vi.stubGlobal("open", openPopup);
  ({ session, transcript } = recordingWith(60));
  setRecordingSession(session);
  opened = createWindow();
});
afterEach(async () => {
  await act(async () => endRecordingSession());
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

/** As the page's menu does. */
const toggle = () => captionControl.get()?.toggle();
const open = async () => {
  await act(async () => toggle());
  await settle(() => expect(captionControl.get()?.isOpen).toBe(true));
  await settle(() => expect(opened.page.querySelector("main")).not.toBeNull());
};
const rows = () =>
  [...opened.page.querySelectorAll("[data-row]")].map(
    (row) => row.querySelector("p[lang=en]")?.textContent,
  );
const button = (name: string) =>
  [...opened.page.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent) === name,
  );
const change = (view: Partial<SessionView>) =>
  act(async () => session.view.set(recordingView(view)));

it("shows the last rows, new ones and the live line, and no others", async () => {
  await open();
  // Two speakers take turns every two sentences.
  const texts = [54, 55, 56, 57, 58, 59].map((number) => `Sentence ${number}.`);
  const labels = ["[S2]", "", "[S1]", "", "[S2]", ""];
  expect(rows()).toEqual(texts.map((text, index) => labels[index] + text));
  await act(async () => transcript.setLive(createLine({ finalText: "And now", speaker: "1" })));
  expect(opened.page.querySelector("[data-live-line]")?.textContent).toContain("And now");
});

it("has the page's Stop and Continue, and its mark, also by their keys", async () => {
  await open();
  await act(async () => button("Mark what is being said")?.click());
  expect(session.addMark).toHaveBeenCalledWith(null);
  const key = (name: string, code: string) =>
    act(async () => opened.page.dispatchEvent(new KeyboardEvent("keydown", { key: name, code })));
  await key("m", "KeyM");
  expect(session.addMark).toHaveBeenCalledTimes(2);
  // Of a Cyrillic keyboard.
  await key("ы", "KeyS");
  expect(session.stop).toHaveBeenCalledOnce();
  const record = vi.spyOn(session, "record");
  await change({ status: "paused", canStop: false });
  await act(async () => button("Continue")?.click());
  expect(record).toHaveBeenCalledOnce();
  await change({ status: "paused", canStop: false, busy: "starting" });
  expect(button("Continue")?.hasAttribute("disabled")).toBe(true);
});

it("shows one language or both, in a size of its own, which this device keeps", async () => {
  await open();
  const texts = () => opened.page.querySelectorAll('[data-row="59"] p').length;
  expect(texts()).toBe(2);
  await act(async () => button("Show: Both")?.click());
  expect(texts()).toBe(1);
  await act(async () => button("Larger text")?.click());
  expect(localStorage.getItem("captionMode")).toBe("translation");
  expect(localStorage.getItem("captionSize")).toBe("20");
  await act(async () => button("Show: Translation")?.click());
  await act(async () => button("Show: English")?.click());
  expect(texts()).toBe(2);
});

it("says that text is the demo voice's", async () => {
  await open();
  const mark = () => opened.page.querySelector("[data-demo-mark]");
  expect(mark()).toBeNull();
  await change({ hasDemoText: true });
  expect(mark()?.textContent).toContain("Demo");
});

it("follows the page's theme and language", async () => {
  await open();
  await act(async () => chooseTheme("dark"));
  expect(opened.page.documentElement.className).toBe("dark");
  await act(() => showLanguage("zh"));
  expect(opened.page.documentElement.lang).toBe("zh-Hans");
  expect(opened.page.title).toBe("字幕");
  await act(async () => chooseTheme("light"));
  await act(() => showLanguage("en"));
  expect(opened.page.documentElement.className).toBe("");
});

it("shows the lecture that the session opens next", async () => {
  await change({ lecture: createLectureInfo() });
  await open();
  const next = createLectureInfo({ id: "two" });
  await act(async () => {
    transcript.replaceAll([createRow({ original: "Waves." })]);
    session.view.set(recordingView({ status: "ready", canStop: false, lecture: next }));
  });
  expect(rows()).toEqual(["[S1]Waves."]);
  expect(button("Record")).toBeDefined();
  expect(button("Mark what is being said")).toBeUndefined();
  await act(async () => transcript.replaceAll([]));
  expect(opened.page.body.textContent).toContain("The words appear here while you record.");
});

it("is closed as it was opened, by the page, with the session, and with the page", async () => {
  await open();
  await act(async () => toggle());
  expect(opened.close).toHaveBeenCalledOnce();
  expect(captionControl.get()?.isOpen).toBe(false);
  expect(opened.page.querySelector("main")).toBeNull();

  opened = createWindow();
  await open();
  await act(async () => window.dispatchEvent(new Event("pagehide")));
  expect(opened.close).toHaveBeenCalledOnce();

  opened = createWindow();
  await open();
  await act(async () => endRecordingSession());
  expect(opened.close).toHaveBeenCalledOnce();
  expect(captionControl.get()).toBeNull();
});

it("is a usual window where none stays on top, in the size that it had last", async () => {
  vi.stubGlobal("documentPictureInPicture", undefined);
  await open();
  expect(openPopup.mock.lastCall?.[2]).toBe("popup,width=460,height=380");
  Object.assign(opened.shown, { innerWidth: 600, innerHeight: 200 });
  opened.shown.dispatchEvent(new Event("resize"));
  await act(async () => toggle());
  opened = createWindow();
  await open();
  expect(openPopup.mock.lastCall?.[2]).toBe("popup,width=600,height=200");
});

it.each(["onTop", "usual"])("opens the window within the click: %s", async (kind) => {
  if (kind === "usual") vi.stubGlobal("documentPictureInPicture", undefined);
  const request = kind === "usual" ? openPopup : requestWindow;
  let calls = 0;
  await act(async () => {
    toggle();
    // Nothing that waits has gone on yet.
    calls = request.mock.calls.length;
  });
  expect(calls).toBe(1);
  await settle(() => expect(captionControl.get()?.isOpen).toBe(true));
});

it("says nothing where the person has closed the window before it is filled", async () => {
  opened.shown.closed = true;
  await act(async () => toggle());
  await settle(() => expect(opened.close).toHaveBeenCalled());
  expect(captionControl.get()?.isBlocked).toBe(false);
  opened = createWindow();
  await open();
});

it("tells the page that the browser has blocked the window, until the person goes on", async () => {
  requestWindow.mockRejectedValueOnce(new DOMException("refused", "NotAllowedError"));
  openPopup.mockReturnValueOnce(null);
  await act(async () => toggle());
  await settle(() => expect(captionControl.get()?.isBlocked).toBe(true));
  await act(async () => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true })));
  expect(captionControl.get()?.isBlocked).toBe(false);
  await open();
});
