// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { LectureView, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { Signal } from "#client/lib/observable.ts";
import { formatGuestText, formatShownText, formatText } from "#client/reading/format-text.ts";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";

const blocks = (() => {
  const store = new Transcript();
  store.append([
    createRow({ original: "Good morning.", translated: "早上好。" }),
    createRow({ original: "Let us begin.", translated: "我们开始吧。" }),
    createRow({ original: "A question.", translated: "", speaker: "2" }),
  ]);
  return store.blocks.get();
})();

it("pairs each sentence with its translation and names a speaker once", () => {
  expect(formatText(blocks, { "1": "Ada" }, (row) => [row.original, row.translated])).toBe(
    "Ada Good morning.\n早上好。\n\nLet us begin.\n我们开始吧。\n\n[S2] A question.",
  );
});

it("puts one language on a line for each sentence, without those that have none", () => {
  const translated = (row: TranscriptRow) => [row.translated];
  expect(formatText(blocks, {}, translated)).toBe("[S1] 早上好。\n我们开始吧。");
});

it("is empty without rows", () => {
  expect(formatText([], {}, (row) => [row.original])).toBe("");
});

it("gives a guest the sentence that is being spoken too", () => {
  const store = new Transcript();
  store.setLive(createLine({ finalText: "And", interimText: " now" }));
  expect(formatGuestText(store, { speakerNames: {}, hasDemoText: false })).toBe("And now");
  store.append(blocks.flatMap(({ rows }) => rows).slice(2));
  expect(formatGuestText(store, { speakerNames: {}, hasDemoText: false })).toBe(
    "[S2] A question.\n\nAnd now",
  );
});

it("begins with the mark of the demo voice where there is text of it", async () => {
  await showLanguage("en");
  const mark = "Demo: contains text of the sample lecture, not what was said.";
  const store = new Transcript();
  const view = { speakerNames: {}, hasDemoText: true };
  expect(formatGuestText(store, view)).toBe("");
  store.append(blocks.flatMap(({ rows }) => rows).slice(2));
  expect(formatGuestText(store, view)).toBe(`${mark}\n\n[S2] A question.`);
  const lecture = { transcript: store, view: new Signal({ ...view } as LectureView) };
  expect(formatShownText(lecture).startsWith(`${mark}\n\n[S2]`)).toBe(true);
});
