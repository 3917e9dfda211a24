import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  getMonth,
  getWeekday,
  listWeeks,
  toLocalDay,
  turnPage,
} from "#client/features/mock/calendar.ts";

const days = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe("a month", () => {
  it("is shown as 42 consecutive days from a Sunday on that contain the whole month", () => {
    fc.assert(
      fc.property(days, (day) => {
        const grid = listWeeks("month", day).flat();
        expect(grid).toHaveLength(42);
        expect(getWeekday(grid[0] ?? "")).toBe(0);
        grid.slice(1).forEach((next, index) => {
          expect(Date.parse(next) - Date.parse(grid[index] ?? "")).toBe(86_400_000);
        });
        const [year = 0, month = 0] = day.split("-").map(Number);
        const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
        expect(grid.filter((shown) => getMonth(shown) === getMonth(day))).toHaveLength(length);
        // The month begins in the first week: no row is wasted before it.
        expect(grid.indexOf(`${getMonth(day)}-01`)).toBeLessThan(7);
      }),
    );
  });

  it("uses its last day for days that it does not have", () => {
    expect(turnPage("month", "2025-10-31", 1)).toBe("2025-11-30");
    expect(turnPage("month", "2024-03-31", -1)).toBe("2024-02-29");
    expect(turnPage("month", "2025-01-15", -1)).toBe("2024-12-15");
  });
});

it("shows the week of the chosen day, from Sunday on", () => {
  const [week, ...others] = listWeeks("week", "2025-10-15");
  expect([week?.[0], week?.[6], others]).toEqual(["2025-10-12", "2025-10-18", []]);
});

describe("turning the calendar", () => {
  it.each([
    ["month", "2025-11-15", "2025-09-15"],
    ["week", "2025-10-22", "2025-10-08"],
    ["day", "2025-10-16", "2025-10-14"],
  ] as const)("a %s leads to the next and to the one before", (view, next, before) => {
    expect(turnPage(view, "2025-10-15", 1)).toBe(next);
    expect(turnPage(view, "2025-10-15", -1)).toBe(before);
  });
});

it("uses the reader's local day as today, at any hour", () => {
  expect(toLocalDay(new Date(2026, 10, 20, 0, 5))).toBe("2026-11-20");
  expect(toLocalDay(new Date(2026, 10, 20, 23, 55))).toBe("2026-11-20");
});
