import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatDay,
  formatMoment,
  formatTime,
  getMinutesLeft,
  toHoursAndMinutes,
} from "#client/lib/dates.ts";

describe("dates", () => {
  const morning = new Date(2026, 10, 5, 9, 2).toISOString();
  const night = new Date(2026, 10, 20, 0, 30).toISOString();
  const evening = new Date(2026, 10, 23, 20, 4).toISOString();

  it("are MMM d, yyyy and h:mm a in English, with plain spaces", () => {
    expect(formatDay(morning, "en")).toBe("Nov 5, 2026");
    expect(formatTime(morning, "en")).toBe("9:02 AM");
    expect(formatTime(night, "en")).toBe("12:30 AM");
    expect(formatMoment(evening, "en")).toBe("Nov 23, 2026, 8:04 PM");
  });

  it("are Chinese in Chinese, with the hours of a day", () => {
    expect(formatDay(morning, "zh")).toBe("2026年11月5日");
    expect(formatTime(morning, "zh")).toBe("09:02");
    expect(formatTime(night, "zh")).toBe("00:30");
    expect(formatMoment(evening, "zh")).toBe("2026年11月23日 20:04");
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
