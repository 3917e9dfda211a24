import { expect, test } from "vitest";
import { getRowStart, toPreviousRow } from "#client/features/recording/row-block.tsx";

const before = toPreviousRow(undefined);

test("the first row shows its time, and so does the live line", () => {
  expect(getRowStart({ speaker: null, startMs: 0, endMs: 900 }, before).time).toBe("0:00");
  expect(getRowStart({ speaker: null, startMs: 0 }, before).time).toBe("0:00");
});

test("a row from a file without times shows none, even where somebody else begins to speak", () => {
  const row = { speaker: "2", startMs: 0, endMs: 0 };
  expect(getRowStart(row, before)).toMatchObject({ speaker: "2", time: null });
});
