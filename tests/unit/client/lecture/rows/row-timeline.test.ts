import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createCover,
  createTimes,
  nearMax,
  RowTimeline,
  type Span,
} from "#client/lecture/rows/row-timeline.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const time = fc.nat(30);
const span: fc.Arbitrary<Span> = fc
  .tuple(time, fc.nat(6))
  .map(([startMs, lengthMs]) => ({ startMs, endMs: startMs + lengthMs }));
const spans = fc.array(span, { maxLength: 20 });

test("finds the spans that overlap or touch another one", () => {
  fc.assert(
    fc.property(spans, span, (rows, wanted) => {
      const found = new RowTimeline(rows).listAt(wanted);
      const meets = (row: Span) => row.startMs <= wanted.endMs && wanted.startMs <= row.endMs;
      expect(new Set(found)).toEqual(new Set(rows.filter(meets)));
    }),
    { numRuns: countRuns(500) },
  );
});

test("finds the last ones where more overlap than a recording has", () => {
  const rows = Array.from({ length: 500 }, (_, n) => ({ startMs: n, endMs: 1_000 }));
  const found = new RowTimeline(rows).listAt({ startMs: 400, endMs: 450 });
  expect(found).toEqual(rows.slice(451 - nearMax, 451));
});

test("knows which times are covered, and whether one lies between two others", () => {
  fc.assert(
    fc.property(spans, fc.array(time), time, time, (all, times, from, to) => {
      const isCovered = createCover(all);
      expect(isCovered(from)).toBe(all.some((one) => one.startMs <= from && from < one.endMs));
      expect(createTimes(times)(from, to)).toBe(times.some((ms) => from < ms && ms < to));
    }),
    { numRuns: countRuns(500) },
  );
});
