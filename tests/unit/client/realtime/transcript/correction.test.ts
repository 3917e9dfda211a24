import { describe, expect, it } from "vitest";
import { getCorrection } from "#client/reading/row-editor.tsx";
import { listSpeakers } from "#client/reading/speakers-form.tsx";
import type { TranscriptRow } from "#client/realtime/session-types.ts";
import { Transcript } from "#client/realtime/transcript/transcript.ts";

const row = (change: Partial<TranscriptRow> = {}): TranscriptRow => ({
  position: 0,
  english: "One two.",
  translated: "一二。",
  translatedInto: "zh-cn",
  translatedByHand: false,
  translation: "done",
  speaker: "1",
  startMs: 0,
  endMs: 1_000,
  revision: 1,
  ...change,
});

describe("a correction", () => {
  it("is what is different, on one line", () => {
    expect(getCorrection(row(), { english: " One  two.\n", translated: "一二。" })).toBeNull();
    expect(getCorrection(row(), { english: "One\ntoo.", translated: "一二。" })).toEqual({
      english: "One too.",
    });
    expect(getCorrection(row(), { english: "One two.", translated: "一，二。" })).toEqual({
      translated: "一，二。",
    });
  });

  it("never empties a text", () => {
    expect(getCorrection(row(), { english: "  ", translated: "" })).toBeNull();
  });

  it("takes a translation for a row whose own has failed", () => {
    const failed = row({ translation: "failed", translated: "[Translation Failed]" });
    expect(getCorrection(failed, { english: "One two.", translated: "一二。" })).toEqual({
      translated: "一二。",
    });
  });
});

it("the speakers are those of the rows, in the order in which they first spoke", () => {
  const store = new Transcript();
  store.append(["2", null, "1", "2"].map((speaker) => row({ speaker })));
  expect(listSpeakers(store)).toEqual(["2", "1"]);
});
