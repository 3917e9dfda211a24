// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { getRowStart } from "#client/reading/row-block.tsx";

test("shows the time of the first row and of the live line", () => {
  expect(getRowStart({ speaker: null, startMs: 0, endMs: 900 }, undefined).time).toBe("0:00");
  expect(getRowStart({ speaker: null, startMs: 0 }, undefined).time).toBe("0:00");
});

test("shows no time for a row imported without times, even where the speaker changes", () => {
  const row = { speaker: "2", startMs: 0, endMs: 0 };
  expect(getRowStart(row, undefined)).toMatchObject({ speaker: "2", time: null });
});
