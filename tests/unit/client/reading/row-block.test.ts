// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { getRowStart, listRowStarts } from "#client/reading/row-block.tsx";
import { createRow } from "#tests/unit/client/kit/rows.ts";

test("shows the time of the first row and of the live line", () => {
  expect(getRowStart({ speaker: null, startMs: 0, endMs: 900 }, undefined, 0).time).toBe("0:00");
  expect(getRowStart({ speaker: null, startMs: 0 }, undefined, 0).time).toBe("0:00");
});

test("shows no time for a row imported without times, even where the speaker changes", () => {
  const row = { speaker: "2", startMs: 0, endMs: 0 };
  expect(getRowStart(row, undefined, 0)).toMatchObject({ speaker: "2", time: null });
  expect(getRowStart(row, { speaker: "1", startMs: 0, endMs: 0 }, 1).isNewParagraph).toBe(true);
});

/** Where paragraphs begin in rows of one second each, which begin at `seconds`. */
const listParagraphs = (...rows: [seconds: number, speaker: string][]) =>
  listRowStarts(
    rows.map(([seconds, speaker], position) =>
      createRow({ position, speaker, startMs: seconds * 1_000, endMs: (seconds + 1) * 1_000 }),
    ),
    undefined,
    0,
  ).starts.flatMap(({ time, speaker }) => (time === null ? [] : [`${time} ${speaker ?? ""}`]));

test("a paragraph ends where the speaker changes, and with a pause of two seconds", () => {
  expect(listParagraphs([0, "1"], [2, "1"], [3, "2"], [5.9, "2"], [8.9, "2"])).toEqual([
    "0:00 1",
    "0:03 2",
    "0:08 ",
  ]);
});

test("a paragraph ends after five sentences, also where a block of rows ends within it", () => {
  const rows = Array.from({ length: 12 }, (_, position) =>
    createRow({
      position,
      speaker: null,
      startMs: position * 1_000,
      endMs: position * 1_000 + 900,
    }),
  );
  const { starts, sentences } = listRowStarts(rows.slice(0, 7), undefined, 0);
  const { starts: others } = listRowStarts(rows.slice(7), rows[6], sentences);
  const times = [...starts, ...others].flatMap(({ time }) => time ?? []);
  expect(times).toEqual(["0:00", "0:05", "0:10"]);
});
