import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatDay,
  formatTime,
  getMinutesLeft,
  toHoursAndMinutes,
} from "#client/lib/dates.ts";

describe("dates in US English", () => {
  it("are MMM d, yyyy and h:mm a, with plain spaces", () => {
    const morning = new Date(2026, 10, 5, 9, 2).toISOString();
    const night = new Date(2026, 10, 20, 0, 30).toISOString();
    expect(formatDay(morning)).toBe("Nov 5, 2026");
    expect(formatTime(morning)).toBe("9:02 AM");
    expect(formatTime(night)).toBe("12:30 AM");
  });
});

describe("durations", () => {
  it.each([
    [0, "0:00"],
    [59.9, "0:59"],
    [61, "1:01"],
    [3600, "1:00:00"],
    [3661, "1:01:01"],
    [-5, "0:00"],
  ])("%d s reads %s", (seconds, expected) => {
    expect(formatClock(seconds)).toBe(expected);
  });

  it("are split into whole hours and minutes", () => {
    expect(toHoursAndMinutes(5_459)).toEqual({ hours: 1, minutes: 30 });
    expect(toHoursAndMinutes(59)).toEqual({ hours: 0, minutes: 0 });
  });
});

it("shows an allowance of less than 2 h in minutes", () => {
  expect(getMinutesLeft(130, 3_600)).toBe(58);
  expect(getMinutesLeft(0, 7_200)).toBeNull();
  expect(getMinutesLeft(1, 7_200)).toBe(120);
  expect(getMinutesLeft(3_599, 3_600)).toBe(1);
  // Several devices together may exceed the limit.
  expect(getMinutesLeft(3_700, 3_600)).toBe(0);
});
