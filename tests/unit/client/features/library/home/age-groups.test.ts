import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getAgeGroup, isSameGroup } from "#client/features/library/home/age-groups.ts";

const utc = (text: string) => Date.parse(`${text}Z`);
const group = (startedAt: string, now: string, timeZone = "UTC") =>
  getAgeGroup(`${startedAt}Z`, utc(now), timeZone);
const month = (year: number, number: number) => ({ kind: "month", year, month: number });

describe("the age of a lecture", () => {
  // 28 November 2026 is a Saturday.
  it.each([
    ["2026-11-28T23:59", { kind: "today" }],
    ["2026-11-28T00:00", { kind: "today" }],
    ["2026-11-27T23:59", { kind: "thisWeek" }],
    ["2026-11-23T00:00", { kind: "thisWeek" }],
    ["2026-11-22T23:59", { kind: "lastWeek" }],
    ["2026-11-16T00:00", { kind: "lastWeek" }],
    ["2026-11-15T23:59", month(2026, 11)],
    ["2026-10-31T12:00", month(2026, 10)],
    ["2025-11-28T12:00", month(2025, 11)],
    // The device's clock is behind.
    ["2026-12-03T12:00", { kind: "today" }],
  ])("is found by the day: %s", (startedAt, expected) => {
    expect(group(startedAt, "2026-11-28T10:00")).toEqual(expected);
  });

  it("has no days between today and last week on a Monday", () => {
    expect(group("2026-11-22T12:00", "2026-11-23T09:00")).toEqual({ kind: "lastWeek" });
    expect(group("2026-11-23T00:10", "2026-11-23T09:00")).toEqual({ kind: "today" });
  });

  it("goes by the days of the time zone", () => {
    const now = "2026-11-28T18:00";
    expect(group("2026-11-28T15:00", now, "UTC")).toEqual({ kind: "today" });
    expect(group("2026-11-28T15:00", now, "Asia/Shanghai")).toEqual({ kind: "thisWeek" });
    expect(group("2026-11-28T17:00", now, "Asia/Shanghai")).toEqual({ kind: "today" });
    expect(group("2026-11-01T02:00", now, "America/New_York")).toEqual(month(2026, 10));
  });

  it("never returns to a group that is left, from the newest lecture to the oldest", () => {
    const moment = fc.date({
      min: new Date("2020-01-01"),
      max: new Date("2030-01-01"),
      noInvalidDate: true,
    });
    const zone = fc.constantFrom("UTC", "Asia/Shanghai", "America/New_York", "Australia/Lord_Howe");
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 12 }), moment, zone, (dates, now, timeZone) => {
        const groups = dates
          .toSorted((a, b) => b.getTime() - a.getTime())
          .map((date) => getAgeGroup(date.toISOString(), now.getTime(), timeZone));
        const begins = groups.filter((one, at) => {
          const before = groups[at - 1];
          return !before || !isSameGroup(before, one);
        });
        for (const [at, one] of begins.entries())
          expect(begins.findIndex((other) => isSameGroup(one, other))).toBe(at);
      }),
    );
  });
});
