import { expect, test } from "vitest";
import { getRowStart, toPreviousRow } from "#client/features/recording/row-block.tsx";

const before = toPreviousRow(undefined);

test("shows the time of the first row and of the live line", () => {
  expect(getRowStart({ speaker: null, startMs: 0, endMs: 900 }, before).time).toBe("0:00");
  expect(getRowStart({ speaker: null, startMs: 0 }, before).time).toBe("0:00");
});

test("shows no time for a row imported without times, even where the speaker changes", () => {
  const row = { speaker: "2", startMs: 0, endMs: 0 };
  expect(getRowStart(row, before)).toMatchObject({ speaker: "2", time: null });
});
