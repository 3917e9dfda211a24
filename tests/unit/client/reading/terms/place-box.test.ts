import fc from "fast-check";
import { expect, it } from "vitest";
import { placeBox } from "#client/reading/terms/place-box.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const area = { left: 0, top: 100, right: 1_000, bottom: 700 };
const size = { width: 200, height: 40 };
const words = (left: number, top: number) => ({ left, top, right: left + 60, bottom: top + 20 });

it("stands above the words, in their middle, or below where it prefers that", () => {
  expect(placeBox(words(500, 400), size, area, false)).toEqual({ left: 430, top: 352 });
  expect(placeBox(words(500, 400), size, area, true)).toEqual({ left: 430, top: 428 });
});

it("stands on the other side where it would be under the page's head, or below the area", () => {
  expect(placeBox(words(500, 120), size, area, false).top).toBe(148);
  expect(placeBox(words(500, 660), size, area, true).top).toBe(612);
});

it("never leaves the area, and covers no words unless there is no room on both sides", () => {
  const range = (min: number, max: number) => fc.integer({ min, max });
  fc.assert(
    fc.property(
      fc.record({ left: range(0, 940), top: range(100, 680) }),
      fc.record({ width: range(1, 900), height: range(1, 500) }),
      fc.boolean(),
      ({ left, top }, box, prefersBelow) => {
        const at = words(left, top);
        const place = placeBox(at, box, area, prefersBelow);
        expect(place.left).toBeGreaterThanOrEqual(area.left);
        expect(place.left + box.width).toBeLessThanOrEqual(area.right);
        expect(place.top).toBeGreaterThanOrEqual(area.top);
        expect(place.top + box.height).toBeLessThanOrEqual(area.bottom);
        const hasRoom =
          at.top - 8 - box.height >= area.top || at.bottom + 8 + box.height <= area.bottom;
        const isBeside = place.top + box.height <= at.top || place.top >= at.bottom;
        if (hasRoom) expect(isBeside).toBe(true);
      },
    ),
    { numRuns: countRuns(400) },
  );
});
