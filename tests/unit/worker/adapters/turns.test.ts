import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { MeasuredWidth } from "#worker/adapters/turns.ts";

/** Calls to a server that does `cores` calls in the time of one, and the width after each. */
function measure(cores: number, calls: number): number[] {
  const measured = new MeasuredWidth();
  return Array.from({ length: calls }, () => {
    const atOnce = measured.width;
    measured.add({ ms: 100 * Math.max(1, atOnce / cores), size: 1, atOnce });
    return measured.width;
  });
}

describe("the width of a server", () => {
  test("stays at one for a machine that has one core for it, but for a trial now and then", () => {
    const widths = measure(1, 200);
    expect(widths.filter((width) => width === 1).length).toBeGreaterThan(185);
    expect(Math.max(...widths)).toBe(2);
  });

  test("grows with a server that answers many as fast as one", () => {
    expect(measure(1_000, 30).at(-1)).toBe(16);
  });

  test("stays near the calls that the server can do at a time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), (cores) => {
        const widths = measure(cores, 300).slice(50);
        expect(Math.max(...widths)).toBeLessThanOrEqual(Math.ceil(1.4 * cores) + 1);
        expect(Math.min(...widths)).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: countRuns(100) },
    );
  });
});
