import fc from "fast-check";
import { expect, it } from "vitest";
import type { Gap } from "#shared/recorded-take.ts";
import { groupGapsByRow, groupMarksByRow } from "#shared/row-groups.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const mark = (id: string, atMs: number, position: number | null = null) => ({
  id,
  atMs,
  position,
  note: "",
});
const group = (marks: ReturnType<typeof mark>[], starts: number[]) =>
  [
    ...groupMarksByRow(
      marks,
      starts.map((startMs, ordinal) => ({ startMs, ordinal })),
    ),
  ].map(([row, found]) => [row, found.map(({ id }) => id).join()]);

it("assigns a mark to the sentence that is spoken at its time, or was spoken last", () => {
  const starts = [1_000, 4_000, 9_000];
  expect(group([mark("a", 3_999), mark("b", 4_000), mark("c", 60_000)], starts)).toEqual([
    [0, "a"],
    [1, "b"],
    [2, "c"],
  ]);
  expect(group([mark("early", 10)], starts)).toEqual([[0, "early"]]);
});

it("assigns marks of a lecture without times by the row's ordinal, or the one before if it is gone", () => {
  expect(group([mark("a", 0, 2), mark("b", 0, 9)], [0, 0, 0])).toEqual([[2, "a,b"]]);
  const rows = [3, 5, 9].map((ordinal) => ({ startMs: 0, ordinal }));
  const marks = [mark("c", 0, 7), mark("a", 0, 9), mark("b", 0, 5), mark("d", 0, 1)];
  const groups = [...groupMarksByRow(marks, rows)].map(([row, found]) => [
    row,
    found.map(({ id }) => id).join(),
  ]);
  expect(groups).toEqual([
    [0, "d"],
    [1, "b,c"],
    [2, "a"],
  ]);
});

it("keeps the marks of one row in the order of their times", () => {
  expect(group([mark("b", 20), mark("c", 20), mark("a", 10)], [0, 50])).toEqual([[0, "a,b,c"]]);
});

it("finds nothing in a lecture without rows", () => {
  expect(group([mark("a", 0)], [])).toEqual([]);
});

const gap = (atMs: number): Gap => ({ atMs, lengthMs: 1_000, reason: "muted" });
const threeRows = [{ startMs: 1_000 }, { startMs: 2_000 }, { startMs: 3_000 }];

it("puts a gap after the last row that begins before it, in the order of their times", () => {
  const groups = groupGapsByRow(
    [gap(2_900), gap(2_000), gap(2_100), gap(9_000), gap(0)],
    threeRows,
  );
  expect([...groups]).toEqual([
    [-1, [gap(0)]],
    [0, [gap(2_000)]],
    [1, [gap(2_100), gap(2_900)]],
    [2, [gap(9_000)]],
  ]);
  expect([...groupGapsByRow([gap(5)], [])]).toEqual([[-1, [gap(5)]]]);
});

it("finds the last row that begins before a time, whatever the order of rows", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 1 }), fc.nat(9), (starts, atMs) => {
      const rows = starts.map((startMs, ordinal) => ({ startMs, ordinal }));
      const gap: Gap = { atMs, lengthMs: 1, reason: "muted" };
      const before = starts.map((startMs, row) => (startMs < atMs ? row : -1));
      expect([...groupGapsByRow([gap], rows).keys()]).toEqual([Math.max(...before)]);
      const until = starts.map((startMs, row) => (startMs <= atMs ? row : 0));
      expect([...groupMarksByRow([mark("a", atMs)], rows).keys()]).toEqual([Math.max(...until)]);
    }),
    { numRuns: countRuns(500) },
  );
});
