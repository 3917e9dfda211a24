// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { formatGuestText, formatText } from "#client/reading/format-text.ts";
import type { TranscriptRow } from "#client/realtime/session-types.ts";
import { Transcript } from "#client/realtime/transcript/transcript.ts";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";

const blocks = (() => {
  const store = new Transcript();
  store.append([
    createRow({ english: "Good morning.", translated: "早上好。" }),
    createRow({ english: "Let us begin.", translated: "我们开始吧。" }),
    createRow({ english: "A question.", translated: "", speaker: "2" }),
  ]);
  return store.blocks.get();
})();

it("pairs each sentence with its translation and names a speaker once", () => {
  expect(formatText(blocks, { "1": "Ada" }, (row) => [row.english, row.translated])).toBe(
    "Ada Good morning.\n早上好。\n\nLet us begin.\n我们开始吧。\n\n[S2] A question.",
  );
});

it("puts one language on a line for each sentence, without those that have none", () => {
  const translated = (row: TranscriptRow) => [row.translated];
  expect(formatText(blocks, {}, translated)).toBe("[S1] 早上好。\n我们开始吧。");
});

it("is empty without rows", () => {
  expect(formatText([], {}, (row) => [row.english])).toBe("");
});

it("gives a guest the sentence that is being spoken too", () => {
  const store = new Transcript();
  store.setLive(createLine({ finalText: "And", interimText: " now" }));
  expect(formatGuestText(store, {})).toBe("And now");
  store.append(blocks.flatMap(({ rows }) => rows).slice(2));
  expect(formatGuestText(store, {})).toBe("[S2] A question.\n\nAnd now");
});
