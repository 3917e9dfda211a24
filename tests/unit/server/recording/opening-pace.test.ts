import fc from "fast-check";
import { expect, it } from "vitest";
import { OpeningPace } from "#server/recording/opening-pace.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

/** Rooms that ask at `askedAt` and, as a room does, again when their time has come. Returns when each one opens. */
function openAll(askedAt: readonly number[], maxAMinute: number): number[] {
  const pace = new OpeningPace();
  const calls = askedAt.map((at, room) => ({ at, room }));
  const opened: number[] = [];
  for (;;) {
    calls.sort((a, b) => a.at - b.at || a.room - b.room);
    const call = calls.shift();
    if (call === undefined) return opened;
    const waitMs = pace.reserve(`room ${call.room}`, maxAMinute, call.at);
    if (waitMs === 0) opened[call.room] = call.at;
    else calls.push({ at: call.at + waitMs, room: call.room });
  }
}

it("opens a session at once where few are opened", () => {
  expect(openAll([0, 5, 10_000, 80_000], 3)).toEqual([0, 5, 10_000, 80_000]);
});

it("gives a minute's next session to the room that asked first", () => {
  expect(openAll([0, 1, 2, 3, 4, 66_000], 2)).toEqual([0, 1, 65_000, 65_001, 130_000, 130_001]);
});

it("keeps a room's time when it asks again before it", () => {
  const pace = new OpeningPace();
  expect(["a", "b", "b", "c", "b"].map((room) => pace.reserve(room, 1, 10))).toEqual([
    0, 65_000, 65_000, 130_000, 65_000,
  ]);
  expect(pace.reserve("b", 1, 65_010)).toBe(0);
  expect(pace.reserve("c", 1, 65_010)).toBe(65_000);
});

it("never opens more in a minute than allowed, leaves no room without a session, and none waits for a later one", () => {
  const times = fc
    .array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 60 })
    .map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 8 }), (askedAt, maxAMinute) => {
      const opened = openAll(askedAt, maxAMinute);
      expect(opened).toHaveLength(askedAt.length);
      expect(opened).toEqual([...opened].sort((a, b) => a - b));
      for (const [index, at] of opened.entries()) {
        expect(opened.filter((one) => one > at - 60_000 && one <= at).length).toBeLessThanOrEqual(
          maxAMinute,
        );
        // Whoever waits, waits because the minute before was full.
        if (at > (askedAt[index] ?? 0)) expect(opened[index - maxAMinute]).toBe(at - 65_000);
      }
    }),
    { numRuns: countRuns(400) },
  );
});
