import { expect, test } from "vitest";
import { findLastMarkMs, isSameRange, selectRows } from "#client/reading/recap/recap-range.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

/** Rows of 50 s, one a minute. */
const rows = Array.from({ length: 20 }, (_, position) =>
  createRow({ position, startMs: position * 60_000, endMs: position * 60_000 + 50_000 }),
);
const positions = (...args: Parameters<typeof selectRows>) =>
  selectRows(...args).map(({ position }) => position);

test("counts minutes back from the last words, with the sentence in which they begin", () => {
  expect(positions(rows, { kind: "minutes", minutes: 3 })).toEqual([17, 18, 19]);
  expect(positions(rows.slice(0, 2), { kind: "minutes", minutes: 10 })).toEqual([0, 1]);
  expect(positions([], { kind: "minutes", minutes: 5 })).toEqual([]);
});

test("goes from the sentence at a mark, or at which the page was left, to the last one", () => {
  expect(positions(rows, { kind: "mark", sinceMs: 17 * 60_000 + 1_000 })).toEqual([17, 18, 19]);
  expect(positions(rows, { kind: "away", sinceMs: 18 * 60_000 + 55_000 })).toEqual([19]);
});

test("leaves out rows without a time and without words", () => {
  const others = [createRow({ startMs: 0, endMs: 0 }), createRow({ original: " ", endMs: 9 })];
  expect(positions([...others, ...rows.slice(3, 5)], { kind: "minutes", minutes: 10 })).toEqual([
    3, 4,
  ]);
});

test("knows the last mark", () => {
  const mark = (atMs: number) => ({ id: crypto.randomUUID(), atMs, position: null, note: "" });
  expect(findLastMarkMs([])).toBeNull();
  expect(findLastMarkMs([mark(0)])).toBe(0);
  expect(findLastMarkMs([mark(9_000), mark(3_000)])).toBe(9_000);
});

test("a later mark is the same choice", () => {
  expect(isSameRange({ kind: "mark", sinceMs: 1 }, { kind: "mark", sinceMs: 2 })).toBe(true);
  expect(isSameRange({ kind: "minutes", minutes: 3 }, { kind: "minutes", minutes: 5 })).toBe(false);
  expect(isSameRange({ kind: "mark", sinceMs: 1 }, { kind: "away", sinceMs: 1 })).toBe(false);
});
