import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RoomAlarm } from "#worker/durable/room-alarm.ts";

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

function createAlarm() {
  const stored: number[] = [];
  const wake = vi.fn();
  return { alarm: new RoomAlarm((at) => stored.push(at), wake), stored, wake };
}

test("without a session each deadline is stored", () => {
  const { alarm, stored, wake } = createAlarm();
  alarm.set(5_000, 0, false);
  alarm.set(3_000, 1_000, false);
  vi.advanceTimersByTime(10_000);
  expect(stored).toEqual([5_000, 3_000]);
  expect(wake).not.toHaveBeenCalled();
});

test("during a session a timer keeps the deadlines", () => {
  const { alarm, wake } = createAlarm();
  alarm.set(5_000, 0, true);
  alarm.set(3_000, 0, true);
  vi.advanceTimersByTime(2_999);
  expect(wake).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(wake).toHaveBeenCalledTimes(1);
});

test("the end of a session replaces the timer by a stored alarm", () => {
  const { alarm, stored, wake } = createAlarm();
  alarm.set(5_000, 0, true);
  alarm.set(4_000, 0, false);
  vi.advanceTimersByTime(10_000);
  expect(stored).toEqual([60_000, 4_000]);
  expect(wake).not.toHaveBeenCalled();
});

test("an hour of session has a stored alarm at every moment, about one a minute", () => {
  const { alarm, stored } = createAlarm();
  for (let now = 0; now < 3_600_000; now += 5_000) {
    alarm.set(now + 5_000, now, true);
    if (now % 15_000 === 0) alarm.renewWithSnapshot(now);
    expect(stored.at(-1)).toBeGreaterThan(now);
    expect(stored.at(-1)).toBeLessThanOrEqual(now + 60_000);
  }
  expect(stored.length).toBeLessThanOrEqual(120);
});

test("a stored alarm that has fired is set again", () => {
  const { alarm, stored } = createAlarm();
  alarm.set(5_000, 0, true);
  alarm.onFired();
  alarm.set(5_000, 0, true);
  expect(stored).toEqual([60_000, 60_000]);
});
