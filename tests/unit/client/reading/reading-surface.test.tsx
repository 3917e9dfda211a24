// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingMessages } from "#client/reading/messages/index.ts";
import { readingDialog } from "#client/reading/open-dialog.ts";
import { ReadingSurface } from "#client/reading/reading-surface.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { nextFrame, press, recordingWith, show, type } from "./kit.tsx";

let session: ReturnType<typeof recordingWith>["session"];
let transcript: ReturnType<typeof recordingWith>["transcript"];
let takeAway: () => Promise<void>;

beforeAll(() => Promise.all([showLanguage("en"), readingMessages.load()]));
beforeEach(async () => {
  ({ session, transcript } = recordingWith(60));
  takeAway = await show(
    <ReadingSurface
      lecture={session}
      empty={() => null}
      summary={null}
      expanded={null}
      onExpand={() => {}}
    />,
  );
  // Rows are fetched.
  await waitFor(async () => {
    await act(async () => {});
    expect(row(0)).not.toBeNull();
  });
});
afterEach(() => takeAway());

const row = (position: number) => document.querySelector<HTMLElement>(`[data-row="${position}"]`);
const focused = () => document.activeElement?.getAttribute("data-row");
const fields = () => [...document.querySelectorAll("textarea")];

async function correct(position: number) {
  row(position)?.focus();
  await press("Enter");
  return fields();
}

describe("rows by keyboard", () => {
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
    const [english, translated] = await correct(3);
    expect(english?.value).toBe("Sentence 3.");
    expect(document.activeElement).toBe(english);
    expect(translated?.lang).toBe("zh-Hans");
    await type(english ?? null, "Sentence three.");
    await press("Enter", { ctrlKey: true });
    expect(session.correctRow.mock.calls).toEqual([[3, { english: "Sentence three." }]]);
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
    expect(session.correctRow.mock.calls).toEqual([[3, { translated: "三。" }]]);
    expect(fields()).toEqual([]);
  });

  it("do not save another device's change as an edit", async () => {
    const [english] = await correct(3);
    await act(async () => transcript.change(3, { english: "Sentence III.", translated: "叁。" }));
    await press("Enter", { ctrlKey: true });
    expect(session.correctRow).not.toHaveBeenCalled();
    expect(english?.isConnected).toBe(false);

    const [again] = await correct(3);
    await act(async () => transcript.change(3, { translated: "三。" }));
    await type(again ?? null, "Sentence three.");
    await press("Enter", { ctrlKey: true });
    expect(session.correctRow.mock.calls).toEqual([[3, { english: "Sentence three." }]]);
  });

  it("do not save an edit that changes nothing", async () => {
    await correct(3);
    await press("Enter", { metaKey: true });
    expect(session.correctRow).not.toHaveBeenCalled();
  });
});

it("retries a failed row and names a speaker through one listener for all rows", async () => {
  await act(async () =>
    transcript.change(52, { translated: "[Translation Failed]", translation: "failed" }),
  );
  const again = document.querySelector<HTMLElement>('[aria-label="Translate again"]');
  await act(async () => again?.click());
  expect(session.retryTranslation.mock.calls).toEqual([[52]]);
  await act(async () => document.querySelector<HTMLElement>('[data-speaker="2"]')?.click());
  expect(readingDialog.get()).toEqual({ kind: "speakers", first: "2" });
});

it("offers no retry of a failed row when no language is known for it", async () => {
  session.canRetryTranslation.mockReturnValue(false);
  await act(async () =>
    transcript.change(52, { translated: "[Translation Failed]", translation: "failed" }),
  );
  expect(row(52)?.textContent).toContain("[Translation Failed]");
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
  const line = { finalText: "", interimText: "One", speaker: "1", startMs: 240_000, preview: "" };
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
