import type { SharedRow } from "#shared/share.ts";

/** The row at `position` of a shared lecture in English. */
export const row = (position: number, original = `Sentence ${position}.`): SharedRow => ({
  position,
  original,
  spokenIn: "en",
  speaker: null,
  startMs: position * 1_000,
  endMs: position * 1_000 + 900,
});
