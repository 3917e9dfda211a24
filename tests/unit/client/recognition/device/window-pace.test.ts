import fc from "fast-check";
import { expect, it } from "vitest";
import { WindowPace } from "#client/recognition/device/window-pace.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

/** Steps after windows that took so long. */
function getStepMs(threads: number, windowMs: readonly number[], isSaving = false): number {
  const pace = new WindowPace(threads);
  for (const ms of windowMs) pace.add(ms);
  return pace.getStepMs(isSaving);
}

it("does not compute for more than four fifths of the time, of one core", () => {
  expect(getStepMs(1, [900])).toBe(1_125);
  // Two threads for half of it: 1.35 s of computing.
  expect(getStepMs(2, [900])).toBe(1_687.5);
});

it("waits for 0.8 s of new sound on a fast device, and twice as long on its battery", () => {
  expect(getStepMs(1, [100])).toBe(800);
  expect(getStepMs(1, [100], true)).toBe(1_600);
  expect(getStepMs(1, [900], true)).toBe(2_250);
});

it("follows what windows cost", () => {
  expect(getStepMs(1, [])).toBe(1_000);
  const once = getStepMs(1, [900, 3_000]);
  expect(once).toBeGreaterThan(1_125);
  expect(once).toBeLessThan(3_750);
  expect(getStepMs(1, [900, ...Array<number>(20).fill(3_000)])).toBeCloseTo(3_750, -1);
});

it("never steps faster with threads for windows of the same length", () => {
  const ms = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(ms, (windows) => getStepMs(2, windows) >= getStepMs(1, windows)),
    { numRuns: countRuns(200) },
  );
});
