import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  getFollowTop,
  getGlideMs,
  getGlidePart,
  isLineVisible,
} from "#client/reading/follow-position.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const page = { scrollTop: 1_000, height: 800, head: 50 };
const noRows: number[] = [];

describe("the page", () => {
  it("stays while the live line ends above 85 % of it", () => {
    expect(isLineVisible({ top: 1_650, bottom: 1_680 }, page)).toBe(true);
    expect(isLineVisible({ top: 1_650, bottom: 1_681 }, page)).toBe(false);
    expect(isLineVisible({ top: 1_000, bottom: 1_040 }, page)).toBe(false);
  });

  it("moves on by a quarter of its height at most", () => {
    const line = { top: 1_640, bottom: 1_690 };
    expect(getFollowTop({ line, rowTops: noRows }, page)).toBe(1_200);
    expect(getFollowTop({ line, rowTops: [1_540, 1_590] }, page)).toBe(1_200);
  });

  it("moves no further than a line that has grown by more", () => {
    const line = { top: 1_640, bottom: 1_940 };
    expect(getFollowTop({ line, rowTops: [1_540, 1_590] }, page)).toBe(1_260);
  });

  it("keeps the two rows before the line below its head", () => {
    const line = { top: 1_500, bottom: 1_690 };
    expect(getFollowTop({ line, rowTops: [1_160, 1_330] }, page)).toBe(1_110);
  });

  it("keeps one row where there is no place for two", () => {
    const line = { top: 1_450, bottom: 1_690 };
    expect(getFollowTop({ line, rowTops: [1_050, 1_240] }, page)).toBe(1_190);
  });

  it("shows the end of a line that is higher than the room for it", () => {
    const line = { top: 1_060, bottom: 1_900 };
    const top = getFollowTop({ line, rowTops: noRows }, page);
    expect(isLineVisible(line, { ...page, scrollTop: top })).toBe(true);
  });

  it("returns to a line that is above it", () => {
    expect(getFollowTop({ line: { top: 100, bottom: 130 }, rowTops: noRows }, page)).toBe(0);
    const line = { top: 900, bottom: 930 };
    const top = getFollowTop({ line, rowTops: noRows }, page);
    expect(top).toBeLessThan(900 - page.head);
    expect(isLineVisible(line, { ...page, scrollTop: top })).toBe(true);
  });

  it("moves before the recording controls cover the line on a low screen", () => {
    const low = { scrollTop: 0, height: 300, head: 50 };
    expect(isLineVisible({ top: 162, bottom: 184 }, low)).toBe(true);
    expect(isLineVisible({ top: 162, bottom: 185 }, low)).toBe(false);
  });

  // A lecture as the page sees it: sentences of any height, which grow line by line.
  const heights = fc.array(fc.integer({ min: 30, max: 320 }), { minLength: 3, maxLength: 40 });
  const screens = fc.record({
    height: fc.integer({ min: 400, max: 1_200 }),
    head: fc.constantFrom(54, 66, 112),
  });

  it("keeps what was just read in sight, never moves back, and moves seldom", () => {
    fc.assert(
      fc.property(heights, screens, fc.integer({ min: 8, max: 60 }), (rows, screen, linePx) => {
        const { height, head } = screen;
        const lowest = Math.min(height * 0.85, height - 116);
        let scrollTop = 0;
        let moves = 0;
        const tops: number[] = [];
        let start = head;
        for (const rowHeight of rows) {
          for (let grown = linePx; grown < rowHeight + linePx; grown += linePx) {
            const line = { top: start, bottom: start + Math.min(grown, rowHeight) };
            if (isLineVisible(line, { ...screen, scrollTop })) continue;
            const rowTops = tops.slice(-2);
            const top = getFollowTop({ line, rowTops }, { ...screen, scrollTop });
            moves += 1;
            expect(top).toBeGreaterThan(scrollTop);
            const overflow = line.bottom - scrollTop - lowest;
            expect(top - scrollTop).toBeLessThanOrEqual(Math.max(height / 4, overflow) + 1);
            scrollTop = top;
            expect(isLineVisible(line, { ...screen, scrollTop })).toBe(true);
            // Wholly in sight, where it fits beside a move of a tenth of the height.
            const room = lowest - head - height / 10;
            for (const kept of [...rowTops, line.top])
              if (line.bottom - kept <= room) expect(kept).toBeGreaterThanOrEqual(top + head - 1);
          }
          tops.push(start);
          start += rowHeight;
        }
        expect(moves).toBeLessThanOrEqual(start / (height / 10) + 1);
      }),
      { numRuns: countRuns(400) },
    );
  });
});

describe("a glide", () => {
  it("goes one way, at 600 px/s at most, within half a second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 199 }), (px) => {
        const ms = getGlideMs(px);
        expect(ms).toBeLessThanOrEqual(500);
        const steps = Array.from(
          { length: Math.ceil(ms) },
          (_, time) => px * (getGlidePart((time + 1) / ms) - getGlidePart(time / ms)),
        );
        expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...steps) * 1_000).toBeLessThanOrEqual(601);
        expect(getGlidePart(1)).toBe(1);
      }),
      { numRuns: countRuns(100) },
    );
  });
});
