import { expect, it } from "vitest";
import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import { mergeRows } from "#client/realtime/transcript/merge-rows.ts";
import type { SpokenLanguage } from "#shared/languages.ts";

const row = (position: number, original: string, spokenIn: SpokenLanguage): TranscriptRow => ({
  position,
  original,
  spokenIn,
  speaker: null,
  translated: "",
  translatedInto: null,
  startMs: position * 1_000,
  endMs: position * 1_000 + 900,
  revision: 1,
  translatedByHand: false,
  translation: "none",
});

it("keeps the language of each row, whoever has it", () => {
  const stored = [row(0, "One.", "en"), row(1, "二。", "ja")];
  const local = [
    row(0, "One.", "en"),
    { ...row(1, "二つ。", "ja"), revision: 2 },
    row(2, "Drei.", "de"),
  ];
  const { rows } = mergeRows(local, stored, 2);
  expect(rows.map(({ original, spokenIn }) => [spokenIn, original])).toEqual([
    ["en", "One."],
    ["ja", "二つ。"],
    ["de", "Drei."],
  ]);
  const other = mergeRows([row(0, "Zwei.", "de")], [row(0, "One.", "en")], 0).rows;
  expect(other.map(({ spokenIn }) => spokenIn).toSorted()).toEqual(["de", "en"]);
});
