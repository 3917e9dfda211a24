import { expect, it } from "vitest";
import { groupGapsByRow } from "#shared/gap-rows.ts";
import type { Gap } from "#shared/recorded-take.ts";

const gap = (atMs: number): Gap => ({ atMs, lengthMs: 1_000, reason: "muted" });
const rows = [{ startMs: 1_000 }, { startMs: 2_000 }, { startMs: 3_000 }];

it("puts a gap after the last row that begins before it, in the order of their times", () => {
  const groups = groupGapsByRow([gap(2_900), gap(2_000), gap(2_100), gap(9_000), gap(0)], rows);
  expect([...groups]).toEqual([
    [-1, [gap(0)]],
    [0, [gap(2_000)]],
    [1, [gap(2_100), gap(2_900)]],
    [2, [gap(9_000)]],
  ]);
  expect([...groupGapsByRow([gap(5)], [])]).toEqual([[-1, [gap(5)]]]);
});
