import { expect, test } from "vitest";
import { getShownSaveState } from "#client/realtime/saving/shown-save-state.ts";

const since = Date.UTC(2026, 10, 22, 9);
const shown = (saveState: Parameters<typeof getShownSaveState>[0]["saveState"], seconds: number) =>
  getShownSaveState({ saveState, unsavedSince: since }, since + seconds * 1_000);

test("a lecture is called saved during the save delay and the save", () => {
  expect(shown("unsaved", 2)).toBe("saved");
  expect(shown("saving", 3)).toBe("saved");
  expect(shown("unsaved", 14.9)).toBe("saved");
});

test("it is called unsaved after 15 s, also while a save is under way on a slow network", () => {
  expect(shown("unsaved", 15)).toBe("unsaved");
  expect(shown("saving", 15)).toBe("unsaved");
});

test("a failure is shown at once", () => {
  expect(shown("retrying", 0)).toBe("retrying");
  expect(shown("failed", 0)).toBe("unsaved");
});

test("nothing else waits for the time", () => {
  expect(getShownSaveState({ saveState: "saved", unsavedSince: null }, since)).toBe("saved");
  expect(getShownSaveState({ saveState: "local", unsavedSince: null }, since)).toBe("local");
});
