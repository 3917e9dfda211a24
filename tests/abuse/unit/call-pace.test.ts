import fc from "fast-check";
import { expect, it } from "vitest";
import { CallSchedule, type Pace } from "#server/call-pace.ts";

const pace: Pace = { burst: 3, intervalMs: 200, maxWaitMs: 1_000 };
const callers = ["a", "b"];

it("starts a burst at once and later calls one interval apart", () => {
  const schedule = new CallSchedule(pace);
  const waits = Array.from({ length: 5 }, () => schedule.reserve("a", 7_000));
  expect(waits).toEqual([0, 0, 0, 200, 400]);
});

it("refuses a call that would wait too long, and accepts it later", () => {
  const schedule = new CallSchedule(pace);
  const waits = Array.from({ length: 9 }, () => schedule.reserve("a", 0));
  expect(waits.slice(-2)).toEqual([1_000, null]);
  expect(schedule.reserve("a", 200)).toBe(1_000);
});

it("schedules callers independently of each other", () => {
  const schedule = new CallSchedule(pace);
  while (schedule.reserve("a", 0) !== null);
  expect(schedule.reserve("b", 0)).toBe(0);
});

it("forgets callers without pending calls", () => {
  const schedule = new CallSchedule(pace);
  for (let n = 0; n < 1_000; n += 1) schedule.reserve(`${n}`, n);
  for (let n = 0; n < 1_000; n += 1) schedule.reserve("a", 10_000 + n * 1_000);
  expect(schedule.size).toBe(1);
});

it("starts at most a burst and one call per interval in any period", () => {
  const call = fc.record({ caller: fc.constantFrom(...callers), afterMs: fc.nat(700) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 80 }), (calls) => {
      const schedule = new CallSchedule(pace);
      const begun: Record<string, number[]> = { a: [], b: [] };
      let now = 0;
      for (const { caller, afterMs } of calls) {
        now += afterMs;
        const waitMs = schedule.reserve(caller, now);
        if (waitMs !== null) begun[caller]?.push(now + waitMs);
      }
      for (const moments of Object.values(begun))
        for (const [index, from] of moments.entries())
          for (const [offset, to] of moments.slice(index).entries())
            expect(offset + 1).toBeLessThanOrEqual(pace.burst + (to - from) / pace.intervalMs);
    }),
  );
});

it("delays later calls by the cost of an earlier one", () => {
  const schedule = new CallSchedule(pace);
  expect(schedule.reserve("a", 0)).toBe(0);
  schedule.postpone("a", 5, 0);
  expect([schedule.reserve("a", 0), schedule.reserve("b", 0)]).toEqual([800, 0]);
});
