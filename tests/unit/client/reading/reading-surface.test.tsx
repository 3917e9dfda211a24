// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingMessages } from "#client/reading/messages/index.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import {
  type ReadingMode,
  setReadingMode,
  setTranslationFirst,
} from "#client/state/preferences.ts";
import { hide, nextFrame, press, show, type } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

let session: ReturnType<typeof recordingWith>["session"];
let transcript: ReturnType<typeof recordingWith>["transcript"];

beforeAll(() => Promise.all([showLanguage("en"), readingMessages.load()]));
beforeEach(async () => {
  ({ session, transcript } = recordingWith(60));
  await show(<Surface lecture={session} />);
  // Rows are fetched.
  await waitForRows();
});

const focused = () => document.activeElement?.getAttribute("data-row");
const fields = () => [...document.querySelectorAll("textarea")];

async function correct(position: number) {
  findRow(position)?.focus();
  await press("Enter");
  return fields();
}

const corrected = [[3, { original: "Sentence three." }]];
/** Begins a correction that is not saved yet. */
async function writeCorrection() {
  const [original] = await correct(3);
  await type(original, "Sentence three.");
}

describe("the mark of the demo voice", () => {
  const readMark = () => document.querySelector("[role=note]")?.textContent;
  const mark = () =>
    act(async () => session.view.set({ ...session.view.get(), hasDemoText: true }));

  it("stands over the text in both languages, and is no part of what fades in full screen", async () => {
    expect(readMark()).toBeUndefined();
    await mark();
    expect(readMark()).toBe("Demo: contains text of the sample lecture, not what was said.");
    await act(() => showLanguage("zh"));
    expect(readMark()).toBe("演示：含有示例课堂的文字，并非实际说的话。");
    await act(() => showLanguage("en"));
    await show(<Surface lecture={session} expanded="transcript" />);
    await waitForRows();
    expect(readMark()).toContain("Demo");
    expect(document.querySelector("[role=note]")?.closest(".fades")).toBeNull();
  });

  it("stands over the live line, before there is any row", async () => {
    ({ session, transcript } = recordingWith(0));
    session.view.set({ ...session.view.get(), status: "recording", hasDemoText: true });
    transcript.setLive(createLine({ finalText: "Good morning" }));
    await show(<Surface lecture={session} />);
    await waitFor(() => expect(readMark()).toContain("Demo"));
  });
});

describe("rows by keyboard", () => {
  /** Without the rows that the person has seen. */
  const listCorrections = () =>
    session.correctRow.mock.calls.map(([position, change]) => [position, change]);

  it("are focused from the page, traversed with the arrows, and left with Escape", async () => {
    document.querySelector("section")?.focus();
    await press("Enter");
    expect(focused()).toBe("59");
    await press("ArrowUp");
    expect(focused()).toBe("58");
    await press("ArrowDown");
    await press("ArrowDown");
    expect(focused()).toBe("59");
    await press("Escape");
    expect(document.activeElement?.tagName).toBe("SECTION");
  });

  it("are edited with Enter; Ctrl+Enter saves the text and returns the focus to the row", async () => {
    const [original, translated] = await correct(3);
    expect(original?.value).toBe("Sentence 3.");
    expect(document.activeElement).toBe(original);
    expect(translated?.lang).toBe("zh-Hans");
    await type(original ?? null, "Sentence three.");
    await press("Enter", { ctrlKey: true });
    expect(listCorrections()).toEqual(corrected);
    expect(fields()).toEqual([]);
    await nextFrame();
    expect(focused()).toBe("3");
  });

  it("discard the text on Escape, and save it on blur", async () => {
    const [, first] = await correct(3);
    await type(first ?? null, "三。");
    await press("Escape");
    expect(fields()).toEqual([]);
    expect(session.correctRow).not.toHaveBeenCalled();

    const [, again] = await correct(3);
    await type(again ?? null, "三。");
    await act(async () => again?.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    expect(listCorrections()).toEqual([[3, { translated: "三。" }]]);
    expect(fields()).toEqual([]);
  });

  it("do not save another device's change as an edit", async () => {
    const [original] = await correct(3);
    await act(async () =>
      transcript.change("3", { original: "Sentence III.", translated: "叁。" }),
    );
    await press("Enter", { ctrlKey: true });
    expect(session.correctRow).not.toHaveBeenCalled();
    expect(original?.isConnected).toBe(false);

    const [again] = await correct(3);
    await act(async () => transcript.change("3", { translated: "三。" }));
    await type(again ?? null, "Sentence three.");
    await press("Enter", { ctrlKey: true });
    expect(listCorrections()).toEqual(corrected);
  });

  it("save an edit when the page is left", async () => {
    await writeCorrection();
    await hide();
    expect(listCorrections()).toEqual(corrected);
  });

  it("save an edit in its own sentence when another one was inserted before it", async () => {
    await writeCorrection();
    const [first, ...others] = transcript.rows();
    if (!first) throw new Error("no rows");
    const inserted = { ...first, id: "new", original: "Earlier.", startMs: 1_000, position: 1 };
    const moved = others.map((row) => ({ ...row, position: row.position + 1 }));
    await act(async () => transcript.replaceAll([first, inserted, ...moved]));
    await press("Enter", { ctrlKey: true });
    expect(listCorrections()).toEqual([[4, { original: "Sentence three." }]]);
    expect(session.correctRow.mock.calls[0]?.[2]?.original).toBe("Sentence 3.");
  });

  it("do not save an edit in another lecture that is opened meanwhile", async () => {
    const showLecture = (id: string) =>
      act(async () => {
        const lecture = createLectureInfo({ id, title: id });
        session.view.set({ ...session.view.get(), lecture });
      });
    await writeCorrection();
    // A draft that is created is no other lecture.
    await showLecture("one");
    expect(fields()[0]?.value).toBe("Sentence three.");
    await showLecture("two");
    expect(fields()).toEqual([]);
    expect(session.correctRow).not.toHaveBeenCalled();
  });

  it("save an edit when another lecture begins to load, and open none while it does", async () => {
    await writeCorrection();
    await act(async () => session.view.set({ ...session.view.get(), busy: "loading" }));
    expect(listCorrections()).toEqual(corrected);
    expect(fields()).toEqual([]);
    expect(await correct(5)).toEqual([]);
  });

  it("do not save an edit that changes nothing", async () => {
    await correct(3);
    await press("Enter", { metaKey: true });
    expect(session.correctRow).not.toHaveBeenCalled();
  });
});

describe("modes", () => {
  const texts = (position: number) =>
    [...(findRow(position)?.querySelectorAll("p") ?? [])].map(({ textContent }) => textContent);
  const announced = () => [...document.querySelectorAll<HTMLElement>("[aria-live]")].at(-1);
  const choose = (mode: ReadingMode) => act(async () => setReadingMode(mode));
  const point = (type: string, target: Element | null | undefined, more: PointerEventInit = {}) =>
    act(async () => {
      target?.dispatchEvent(
        new PointerEvent(type, { bubbles: true, pointerType: "touch", ...more }),
      );
    });

  afterEach(async () => {
    await choose("both");
    await act(async () => setTranslationFirst(false));
    vi.useRealTimers();
  });

  it("show both texts in either order, or one of them, and are remembered", async () => {
    expect(texts(0)).toEqual(["[S1]Sentence 0.", "第0句。"]);
    await act(async () => setTranslationFirst(true));
    expect(texts(0)).toEqual(["[S1]第0句。", "Sentence 0."]);
    await choose("translation");
    expect(texts(0)).toEqual(["[S1]第0句。"]);
    expect(findRow(0)?.querySelector("p")?.lang).toBe("zh-Hans");
    expect(localStorage.getItem("transcriptMode")).toBe("translation");
    expect(localStorage.getItem("translationFirst")).toBe("true");
    await choose("original");
    expect(texts(0)).toEqual(["[S1]Sentence 0."]);
  });

  it("show the live line's translation alone", async () => {
    await choose("translation");
    const line = createLine({ finalText: "One", interimText: " two", preview: "一二" });
    await act(async () => transcript.setLive(line));
    const page = document.querySelector("section");
    expect(page?.textContent).toContain("一二");
    expect(page?.textContent).not.toContain("One two");
  });

  it("show English in place of a translation that does not exist", async () => {
    await act(async () => transcript.change("1", { translated: "", translation: "none" }));
    await choose("translation");
    expect(texts(1)).toEqual(["Sentence 1."]);
  });

  it("swap rows on a click, each by itself, until the mode changes", async () => {
    await choose("translation");
    await act(async () => findRow(1)?.click());
    await act(async () => findRow(3)?.click());
    expect([texts(1), texts(2), texts(3)]).toEqual([
      ["Sentence 1."],
      ["[S2]第2句。"],
      ["Sentence 3."],
    ]);
    await act(async () => findRow(1)?.click());
    expect(texts(1)).toEqual(["第1句。"]);
    await choose("original");
    expect(texts(3)).toEqual(["Sentence 3."]);
    await choose("both");
    await act(async () => findRow(3)?.click());
    expect(texts(3)).toHaveLength(2);
  });

  it("stay swapped when the rows of another device come before them", async () => {
    await choose("translation");
    await act(async () => findRow(3)?.click());
    const earlier = createRow({ original: "Before.", translated: "之前。", endMs: 1 });
    const rows = [earlier, ...transcript.rows()].map((row, position) => ({ ...row, position }));
    await act(async () => transcript.replaceAll(rows));
    expect([texts(3), texts(4)]).toEqual([["[S2]第2句。"], ["Sentence 3."]]);
    await act(async () => findRow(4)?.click());
    expect(texts(4)).toEqual(["第3句。"]);
  });

  it("keep the text that is selected, by a double click too", async () => {
    await choose("translation");
    const text = findRow(1)?.querySelector("p");
    await act(async () => {
      if (text) window.getSelection()?.selectAllChildren(text);
      findRow(1)?.click();
    });
    expect(texts(1)).toEqual(["第1句。"]);
    window.getSelection()?.removeAllRanges();
    const mouse = { pointerType: "mouse" };
    await point("click", findRow(1), { ...mouse, detail: 1 });
    await point("mousedown", findRow(1), { ...mouse, detail: 2 });
    await point("click", findRow(1), { ...mouse, detail: 2 });
    expect(texts(1)).toEqual(["第1句。"]);
  });

  it("swap the focused row with Space and announce its text; Enter still edits both texts", async () => {
    await choose("translation");
    findRow(3)?.focus();
    await press(" ");
    expect(texts(3)).toEqual(["Sentence 3."]);
    expect(announced()?.textContent).toBe("Sentence 3.");
    expect(announced()?.getAttribute("lang")).toBe("en");
    expect(focused()).toBe("3");
    await press("Enter");
    expect(fields().map(({ value }) => value)).toEqual(["Sentence 3.", "第3句。"]);
    await press("Escape");
  });

  it("swap a row for as long as a touch holds it, without a click at its end", async () => {
    await choose("translation");
    vi.useFakeTimers();
    await point("pointerdown", findRow(1));
    await act(async () => vi.advanceTimersByTime(400));
    expect(texts(1)).toEqual(["Sentence 1."]);
    await point("pointerup", findRow(1));
    await point("click", findRow(1), { detail: 1 });
    expect(texts(1)).toEqual(["第1句。"]);
    // Scrolling is no hold.
    await point("pointerdown", findRow(1));
    await point("pointercancel", findRow(1));
    await act(async () => vi.advanceTimersByTime(400));
    expect(texts(1)).toEqual(["第1句。"]);
  });
});

it("retries a failed row and names a speaker through one listener for all rows", async () => {
  await act(async () =>
    transcript.change("52", { translated: "[Translation Failed]", translation: "failed" }),
  );
  const again = document.querySelector<HTMLElement>('[aria-label="Translate again"]');
  await act(async () => again?.click());
  expect(session.retryTranslation.mock.calls).toEqual([[52]]);
  await act(async () => document.querySelector<HTMLElement>('[data-speaker="2"]')?.click());
  expect(readingDialog.get()).toEqual({ kind: "speakers", first: "2" });
});

it("shows the preview in a row until the translation replaces it, in a cell that stays as high", async () => {
  const placeholder = { language: "de", text: "Satz 52, vorläufig" } as const;
  const change = { translated: "", translatedInto: null, placeholder } as const;
  await act(async () => transcript.change("52", { ...change, translation: "waiting" }));
  const translation = () => findRow(52)?.querySelector<HTMLElement>("p[lang=de]");
  const preview = () => translation()?.parentElement?.dataset.preview;
  expect(translation()?.textContent).toBe("Satz 52, vorläufig");
  expect(translation()?.getAttribute("aria-busy")).toBe("true");
  expect(preview()).toBe("Satz 52, vorläufig");
  const answer = { translated: "Satz 52.", translatedInto: "de" } as const;
  await act(async () => transcript.change("52", { ...answer, translation: "done" }));
  expect(translation()?.textContent).toBe("Satz 52.");
  expect(translation()?.hasAttribute("aria-busy")).toBe(false);
  expect(preview()).toBe("Satz 52, vorläufig");
});

it("offers no retry of a failed row when no language is known for it", async () => {
  session.canRetryTranslation.mockReturnValue(false);
  await act(async () =>
    transcript.change("52", { translated: "[Translation Failed]", translation: "failed" }),
  );
  expect(findRow(52)?.textContent).toContain("[Translation Failed]");
  expect(document.querySelector("[data-retry]")).toBeNull();
  expect(session.canRetryTranslation).toHaveBeenCalledWith(52, session.view.get().targetLanguage);
});

it("shows a speaker's name in place of the label in every row", async () => {
  const tags = () =>
    [...document.querySelectorAll("[data-speaker]")].slice(0, 3).map((tag) => tag.textContent);
  expect(tags()).toEqual(["[S1]", "[S2]", "[S1]"]);
  await act(async () => session.view.set({ ...session.view.get(), speakerNames: { "1": "Ada" } }));
  expect(tags()).toEqual(["Ada", "[S2]", "Ada"]);
});

it("does not render finished rows again when new words arrive", async () => {
  const changed: Node[] = [];
  const watch = new MutationObserver((list) => changed.push(...list.map(({ target }) => target)));
  const page = document.querySelector("section");
  if (page)
    watch.observe(page, { childList: true, characterData: true, attributes: true, subtree: true });
  const line = createLine({ finalText: "", interimText: "One" });
  await act(async () => transcript.setLive(line));
  await act(async () => transcript.setLive({ ...line, interimText: "One two" }));
  changed.push(...watch.takeRecords().map(({ target }) => target));
  watch.disconnect();
  expect(changed.length).toBeGreaterThan(0);
  const inRows = changed.filter((node) => {
    const element = node instanceof Element ? node : node.parentElement;
    return element?.closest("[data-row]");
  });
  expect(inRows).toEqual([]);
});
