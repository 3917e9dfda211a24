import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computeCueTimes,
  countUntimed,
  formatTimestamp,
} from "#client/features/export/cue-times.ts";
import type { ExportedRow } from "#client/features/export/exported-lecture.ts";
import { anyRows, row } from "./sample-lectures.ts";

const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

const timesOnly = (rows: ExportedRow[]) =>
  computeCueTimes(rows).map(({ startMs, endMs }) => ({ startMs, endMs }));

describe("computeCueTimes", () => {
  it("returns ordered cues of positive length without overlap for any rows", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const times = computeCueTimes(rows);
        expect(times).toHaveLength(rows.length);
        times.forEach(({ startMs, endMs }, index) => {
          expect(Number.isInteger(startMs) && Number.isInteger(endMs)).toBe(true);
          expect(startMs).toBeGreaterThanOrEqual(0);
          expect(endMs).toBeGreaterThan(startMs);
          expect(times[index + 1]?.startMs ?? endMs).toBeGreaterThanOrEqual(endMs);
        });
      }),
    );
  });

  it("keeps the rows' own times if they are in order", () => {
    const rows = [
      row({ startMs: 0, endMs: 900 }),
      row({ startMs: 1_000, endMs: 3_500 }),
      row({ startMs: 3_000, endMs: 9_000 }),
    ];
    expect(timesOnly(rows)).toEqual([
      { startMs: 0, endMs: 1_000 },
      { startMs: 1_000, endMs: 3_000 },
      { startMs: 3_000, endMs: 9_000 },
    ]);
  });

  it("divides the time between known neighbours by words", () => {
    const rows = [
      row({ startMs: 1_000, endMs: 4_000 }),
      row({ original: words(10) }),
      row({ original: words(30) }),
      row({ startMs: 12_000, endMs: 14_000 }),
    ];
    const starts = computeCueTimes(rows).map((time) => time.startMs);
    expect(starts.slice(0, 2)).toEqual([1_000, 4_000]);
    // A quarter of eight seconds for a quarter of the words.
    expect(Math.abs((starts[2] ?? 0) - 6_000)).toBeLessThan(5);
    expect(starts[3]).toBe(12_000);
  });

  it("estimates times by the pace of speech without known times", () => {
    const rows = [row({ original: words(5) }), row({ original: words(10) })];
    expect(timesOnly(rows)).toEqual([
      { startMs: 0, endMs: 2_000 },
      { startMs: 2_000, endMs: 6_000 },
    ]);
    expect(countUntimed(rows)).toBe(2);
  });

  it("estimates the time of a row that goes back in time", () => {
    const rows = [5_000, 2_000, 8_000].map((startMs) => row({ startMs, endMs: startMs + 1_000 }));
    const [, second, third] = computeCueTimes(rows);
    expect(second?.startMs).toBeGreaterThanOrEqual(6_000);
    expect(third?.startMs).toBe(8_000);
  });

  it("formats times with hours and the mark of the format", () => {
    expect(formatTimestamp(3_723_004, ",")).toBe("01:02:03,004");
    expect(formatTimestamp(360_000_000, ".")).toBe("100:00:00.000");
  });
});
