import { expect, it } from "vitest";
import { formatGuestText, formatText } from "#client/reading/format-text.ts";
import type { TranscriptRow } from "#client/realtime/session-types.ts";
import { Transcript } from "#client/realtime/transcript/transcript.ts";

const blocks = (() => {
  const store = new Transcript();
  const row = (english: string, translated: string, speaker: string | null) => ({
    english,
    translated,
    speaker,
    translatedInto: "zh-cn" as const,
    translatedByHand: false,
    translation: "done" as const,
    startMs: 0,
    endMs: 0,
    revision: 1,
  });
  store.append([
    row("Good morning.", "早上好。", "1"),
    row("Let us begin.", "我们开始吧。", "1"),
    row("A question.", "", "2"),
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
  const line = { finalText: "And", interimText: " now", speaker: null, startMs: 0, preview: "" };
  store.setLive(line);
  expect(formatGuestText(store, {})).toBe("And now");
  store.append(blocks.flatMap(({ rows }) => rows).slice(2));
  expect(formatGuestText(store, {})).toBe("[S2] A question.\n\nAnd now");
});
