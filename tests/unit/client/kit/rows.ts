import type { LiveLine, TranscriptRow } from "#client/lecture/lecture-document.ts";

/** A sentence of speaker 1 in English and Chinese, but for `change`; its id and ordinal follow its position. */
export const createRow = (change: Partial<TranscriptRow> = {}): TranscriptRow => ({
  id: String(change.position ?? 0),
  position: 0,
  ordinal: change.position ?? 0,
  original: "One two.",
  originalByHand: false,
  translated: "一二。",
  translatedInto: "zh-cn",
  spokenIn: "en",
  translatedByHand: false,
  translation: "done",
  speaker: "1",
  startMs: 0,
  endMs: 1_000,
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
