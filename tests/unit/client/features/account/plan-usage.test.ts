// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { getUsage } from "#client/features/account/plan-usage.tsx";

describe("monthly usage", () => {
  it.each([
    [0, 1, "0.00", "1.00", 0],
    [900, 1, "0.25", "1.00", 25],
    [18_000, 20, "5.00", "20.00", 25],
    [3_600, 1, "1.00", "1.00", 100],
    [5_400, 1, "1.50", "1.00", 100],
    [0, 0, "0.00", "0.00", 100],
  ])("of %i s in %i h", (timeUsedThisMonth, hourLimit, usedHours, limitHours, percent) => {
    expect(getUsage({ timeUsedThisMonth, hourLimit }, "en")).toEqual({
      usedHours,
      limitHours,
      percent,
    });
  });
});
