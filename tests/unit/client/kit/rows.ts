import type { LiveLine, TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";

/** A sentence of speaker 1 in English and Chinese, but for `change`. */
export const createRow = (change: Partial<TranscriptRow> = {}): TranscriptRow => ({
  position: 0,
  original: "One two.",
  translated: "一二。",
  translatedInto: "zh-cn",
  spokenIn: "en",
  translatedByHand: false,
  translation: "done",
  speaker: "1",
  startMs: 0,
  endMs: 1_000,
  revision: 1,
  ...change,
});

/** The sentence being spoken, but for `change`. */
export const createLine = (change: Partial<LiveLine> = {}): LiveLine => ({
  finalText: "And now",
  interimText: "",
  speaker: null,
  spokenIn: "en",
  startMs: 0,
  preview: "",
  ...change,
});
