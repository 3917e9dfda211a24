import { expect, it } from "vitest";
import { formatReset, getDayEnd, getMonthEnd } from "#client/lib/reset-times.ts";

it.each([
  ["2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z", "2026-12-02T00:00:00.000Z"],
  ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ["2028-02-28T12:00:00.000Z", "2028-03-01T00:00:00.000Z", "2028-02-29T00:00:00.000Z"],
])("begins again after %s with the month and the day of the site", (now, month, day) => {
  expect(getMonthEnd(Date.parse(now)).toISOString()).toBe(month);
  expect(getDayEnd(Date.parse(now)).toISOString()).toBe(day);
});

it.each([
  ["UTC", "Jan 1, 12:00 AM (UTC)", "1月1日 00:00（UTC）"],
  ["Asia/Shanghai", "Jan 1, 8:00 AM (GMT+8)", "1月1日 08:00（GMT+8）"],
  ["Asia/Kolkata", "Jan 1, 5:30 AM (GMT+5:30)", "1月1日 05:30（GMT+5:30）"],
  // The day before.
  ["America/Los_Angeles", "Dec 31, 4:00 PM (PST)", "12月31日 16:00（GMT-8）"],
])("says when on the clock of %s, which it names", (timeZone, english, chinese) => {
  const end = getMonthEnd(Date.parse("2026-12-05T10:00:00.000Z"));
  expect(formatReset(end, "en", timeZone)).toBe(english);
  expect(formatReset(end, "zh", timeZone)).toBe(chinese);
});
