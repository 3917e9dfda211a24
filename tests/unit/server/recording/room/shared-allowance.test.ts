import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usageFlushIntervalMs } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { chunkMs, Device, LedgerModel } from "./device.ts";
import { hour, start } from "./test-room.ts";

/** Records on all devices at once with different phases, until all have stopped. */
function recordUntilRefused(devices: readonly Device[], from: number): void {
  for (let now = from; devices.some((one) => one.isRecording); now += chunkMs) {
    for (const [index, device] of devices.entries()) {
      device.until(now + index * 17);
      device.chunk();
    }
    if (now > from + 3 * hour) throw new Error("a device never stops");
  }
  for (const device of devices) device.until(device.now + 60_000);
}

function begun(ledger: LedgerModel, count: number, apartMs = 0): Device[] {
  return Array.from({ length: count }, (_, index) => {
    const device = new Device(ledger, index + 1);
    device.now = start + index * apartMs;
    device.begin();
    return device;
  });
}

describe("devices that share an allowance", () => {
  test("stop exactly at the limit if only one records", () => {
    const ledger = new LedgerModel(60_000);
    recordUntilRefused(begun(ledger, 1), start);
    expect(ledger.total).toBe(Math.ceil(60_000 / chunkMs) * chunkMs);
  });

  test.each([2, 3, 5])(
    "%i of them overdraw it together by less than one flush interval",
    (count) => {
      const worst = { ms: 0 };
      for (let limitMs = 60_000; limitMs <= 240_000; limitMs += 13_000) {
        for (const apartMs of [0, 900, 4_000]) {
          const ledger = new LedgerModel(limitMs);
          recordUntilRefused(begun(ledger, count, apartMs), start + count * apartMs);
          worst.ms = Math.max(worst.ms, ledger.total - limitMs);
        }
      }
      expect(worst.ms).toBeGreaterThan(0);
      expect(worst.ms).toBeLessThanOrEqual(usageFlushIntervalMs);
    },
  );

  test("overdraw at most by what is recorded while a slow ledger answers", () => {
    const ledger = new LedgerModel(120_000);
    const devices = begun(ledger, 2);
    for (const device of devices) device.latencyMs = 8_000;
    recordUntilRefused(devices, start);
    expect(ledger.total - ledger.limitMs).toBeLessThanOrEqual(usageFlushIntervalMs + 8_000);
  });

  test("flush by audio instead of time when they send faster than real time", () => {
    const ledger = new LedgerModel(120_000);
    const [one, other] = begun(ledger, 2);
    if (!one || !other) throw new Error("two devices");
    for (let now = start; one.isRecording || other.isRecording; now += 40) {
      for (const device of [one, other]) {
        device.until(now);
        device.chunk();
      }
    }
    for (const device of [one, other]) device.until(device.now + 60_000);
    expect(ledger.total - ledger.limitMs).toBeLessThanOrEqual(usageFlushIntervalMs);
  });

  test.each([
    [2, 60_000, 40],
    [3, 60_000, 40],
    [5, 60_000, 40],
    // A burst that comes while much is left, and the ledger takes its time.
    [2, 900_000, 400],
    [3, 600_000, 400],
    [5, 1_200_000, 400],
  ])(
    "in bursts, %i of them with %i ms left overdraw no more than at the speed of speech",
    (count, limitMs, latencyMs) => {
      const ledger = new LedgerModel(limitMs);
      const devices = begun(ledger, count);
      const startCounts = devices.map(() => 1);
      for (const device of devices) device.latencyMs = latencyMs;
      for (let now = start; now < start + 60_000; now += 50) {
        for (const [index, device] of devices.entries()) {
          device.until(now);
          // Refused for being too fast, it comes back at once, and goes on where it was.
          if (!device.isRecording && device.begin())
            startCounts[index] = (startCounts[index] ?? 0) + 1;
          for (let at = 0; at < 180; at += 1) device.chunk();
        }
      }
      for (const device of devices) device.until(device.now + 60_000);
      expect(devices.some((device) => device.isRecording)).toBe(false);
      expect(ledger.total).toBeGreaterThanOrEqual(limitMs);
      expect(ledger.total - ledger.limitMs).toBeLessThanOrEqual(usageFlushIntervalMs);
      expect(Math.max(...startCounts)).toBeGreaterThan(1);
    },
  );

  test("are no more at once than the plan allows, also after a pause", () => {
    const ledger = new LedgerModel(hour, 2);
    const devices = begun(ledger, 3, 1_000);
    const record = (from: number, ms: number) => {
      for (let now = from; now < from + ms; now += chunkMs)
        for (const device of devices) {
          device.until(now);
          device.chunk();
        }
      return from + ms;
    };
    let now = record(start + 3_000, 5_000);
    expect(devices.map((one) => one.isRecording)).toEqual([true, true, false]);
    // The first pauses; its place is taken, and it is refused when it goes on.
    const [first, second, third] = devices;
    if (!first || !second || !third) throw new Error("three devices");
    for (const until = now + 60_000; now < until; now += chunkMs)
      for (const device of devices) {
        device.until(now);
        if (now % 10_240 < chunkMs) device.browser({ type: "keepalive" });
        if (device === second) device.chunk();
      }
    third.begin();
    third.chunk();
    third.until(third.now + third.latencyMs);
    now = record(now, 5_000);
    expect(devices.map((one) => one.isRecording)).toEqual([false, true, true]);
    expect(first.seq * chunkMs).toBeLessThan(6_000 + 2 * chunkMs);
  });
});

const act = <T>(
  weight: number,
  values: fc.Arbitrary<T>,
  run: (device: Device, value: T) => void,
) => ({
  weight,
  arbitrary: values.map((value) => (device: Device) => run(device, value)),
});
const acts = fc.oneof(
  act(6, fc.integer({ min: 1, max: 200 }), (device, count) => {
    if (!device.isRecording) device.begin();
    for (let at = 0; at < count; at += 1) {
      device.until(device.now + chunkMs);
      device.chunk();
    }
  }),
  act(2, fc.integer({ min: 1, max: 400_000 }), (device, ms) => device.until(device.now + ms)),
  act(2, fc.constantFrom("request" as const, "answer" as const), (device, loses) => {
    device.loses = loses;
  }),
  act(1, fc.integer({ min: 2, max: 30_000 }), (device, ms) => {
    device.latencyMs = ms;
  }),
  act(2, fc.constantFrom(1000, 1001, 1006), (device, code) => device.leave(code)),
  // The browser comes back to a room that has lost its memory.
  act(2, fc.constant(null), (device) => {
    device.evict();
    device.begin();
  }),
  // The clock is put right, by a leap second or a little more.
  act(1, fc.constantFrom(-1_000, -1, 1, 1_000), (device, ms) => {
    device.now += ms;
  }),
);

test("counts every recorded second in its month, whatever happens to flushes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(acts, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(start, Date.UTC(2026, 10, 30, 23, 58), Date.UTC(2026, 11, 31, 23, 59, 58)),
      (runs, from) => {
        const ledger = new LedgerModel(100 * hour);
        const devices = runs.map((run, index) => {
          const device = new Device(ledger, index + 1);
          device.now = from;
          for (const act of run) act(device);
          device.latencyMs = 40;
          device.loses = null;
          device.leave(1000);
          device.until(device.now + 900_000);
          return device;
        });
        const recorded = devices.reduce((sum, { seq }) => sum + seq * chunkMs, 0);
        expect(ledger.total).toBe(recorded);
        for (const row of ledger.rows.values())
          expect(row.period).toBe(`${new Date(row.startedAt).toISOString().slice(0, 7)}-01`);
      },
    ),
    { numRuns: countRuns(150) },
  );
});

test("counts a day's recording over the end of a month exactly, despite clock drift", () => {
  const ledger = new LedgerModel(100 * hour);
  const device = new Device(ledger, 1);
  device.now = Date.UTC(2026, 11, 31, 21);
  device.begin();
  const chunks = (6 * hour) / chunkMs;
  for (let at = 0; at < chunks; at += 1) {
    // The clock loses a second over the hours, and is put right at midnight.
    device.until(device.now + chunkMs - (at % 100 === 0 ? 1.185 : 0));
    if (at === chunks / 2) device.now += 1_000;
    device.chunk();
  }
  device.leave(1000);
  device.until(device.now + 10_000);
  expect(ledger.total).toBe(6 * hour);
  const december = ledger.used("2026-12-01");
  expect(Math.abs(december - 3 * hour)).toBeLessThanOrEqual(1_000);
  expect(ledger.used("2027-01-01")).toBe(6 * hour - december);
  expect(ledger.rows.size).toBe(2);
});
