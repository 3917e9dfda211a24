import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findFirstRun } from "#client/realtime/saving/rows-per-call.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { entriesPerAppendMax, entryTextMaxLength } from "#shared/limits.ts";

function entry(original: string, translated: string): TranscriptEntry {
  const state = {
    translatedInto: null,
    spokenIn: "en",
    translatedByHand: false,
    speaker: null,
  } as const;
  return { original, translated, ...state, startMs: 0, endMs: 1, revision: 1 };
}

test("the first run is the longest of neighbours from the lowest on, within what one call carries", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2_000), { maxLength: 1_500 }), (numbers) => {
      const positions = numbers.toSorted((a, b) => a - b);
      const run = findFirstRun(new Set(numbers), () => entry("a", "b"));
      if (run === null) {
        expect(positions).toEqual([]);
        return;
      }
      const { from } = run;
      const count = run.entries.length;
      expect(positions.slice(0, count)).toEqual(Array.from({ length: count }, (_, i) => from + i));
      expect(count).toBeLessThanOrEqual(entriesPerAppendMax);
      if (count < entriesPerAppendMax) expect(positions).not.toContain(from + count);
    }),
  );
});

test("a run of long rows ends before it is more than the server takes, and the next goes on", () => {
  const serverMaxBytes = 4 * 1024 * 1024;
  const long = entry("\u0001".repeat(entryTextMaxLength), "课".repeat(entryTextMaxLength));
  const count = 60;
  const positions = new Set(Array.from({ length: count }, (_, at) => at));
  let next = 0;
  while (positions.size > 0) {
    const run = findFirstRun(positions, () => long);
    expect(run?.from).toBe(next);
    if (run === null) break;
    const { entries } = run;
    expect(entries.length).toBeGreaterThan(1);
    expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThan(serverMaxBytes - 1_000);
    for (const _ of entries) positions.delete(next++);
  }
  expect(next).toBe(count);
});

test("a row that is longer than a run may be goes alone", () => {
  const huge = entry("a".repeat(5_000_000), "");
  expect(findFirstRun(new Set([3, 4]), () => huge)).toEqual({ from: 3, entries: [huge] });
});

test("a run ends before a row that does not exist any more", () => {
  const row = entry("a", "b");
  const rowAt = (position: number) => (position === 4 ? undefined : row);
  expect(findFirstRun(new Set([3, 4, 5]), rowAt)).toEqual({ from: 3, entries: [row] });
  expect(findFirstRun(new Set([4, 5]), rowAt)).toEqual({ from: 4, entries: [] });
});
