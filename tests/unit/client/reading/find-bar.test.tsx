// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { searchTarget } from "#client/reading/search-target.ts";
import { nextFrame, press, show, type } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

let transcript: ReturnType<typeof recordingWith>["transcript"];

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(async () => {
  const recording = recordingWith(60);
  ({ transcript } = recording);
  await show(<Surface lecture={recording.session} startsAtTop />);
  await waitForRows();
});
afterEach(async () => {
  searchTarget.set(null);
});

const field = () => document.querySelector<HTMLInputElement>("[data-find] input");
const status = () => document.querySelector("[data-find] [role=status]")?.textContent;

async function open(key = "f") {
  findRow(3)?.focus();
  await press(key, { ctrlKey: true, code: "KeyF" });
  await waitFor(async () => {
    await act(async () => {});
    expect(field()).not.toBeNull();
  });
}

it("counts the matches, goes through them and around, and returns to the last one", async () => {
  await open();
  expect(document.activeElement).toBe(field());
  await type(field(), "SENTENCE 1");
  expect(status()).toBe("1 of 11");
  await press("Enter", { shiftKey: true });
  expect(status()).toBe("11 of 11");
  await press("Enter");
  await press("Enter");
  expect(status()).toBe("2 of 11");
  await press("Escape");
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(findRow(10));
});

it("opens on a keyboard without Latin letters", async () => {
  await open("а");
  expect(document.activeElement).toBe(field());
});

it("finds words of the translation, and says where there are none", async () => {
  await open();
  await type(field(), "第7句");
  expect(status()).toBe("1 of 1");
  await type(field(), "nowhere");
  expect(status()).toBe("Not found");
});

it("keeps its place when a sentence before it is changed", async () => {
  await open();
  await type(field(), "Sentence");
  await press("Enter");
  await press("Enter");
  expect(status()).toBe("2 of 60");
  await act(async () => void transcript.change("0", { original: "Nothing." }));
  expect(status()).toBe("1 of 59");
});

it("leaves the second press of its key to the browser", async () => {
  await open();
  const second = new KeyboardEvent("keydown", {
    key: "f",
    ctrlKey: true,
    bubbles: true,
    cancelable: true,
  });
  await act(async () => void field()?.dispatchEvent(second));
  expect(second.defaultPrevented).toBe(false);
});

it("focuses the row that a search result leads to", async () => {
  await act(async () =>
    searchTarget.set({
      place: { type: "text" },
      hit: { kind: "text", text: ["", "Sentence 41", "."] },
    }),
  );
  await nextFrame();
  expect(document.activeElement).toBe(findRow(41));
  expect(findRow(41)?.dataset.hit).toBe("");
  await act(async () => searchTarget.set(null));
  expect(findRow(41)?.dataset.hit).toBeUndefined();
});
