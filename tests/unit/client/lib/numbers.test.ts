import { expect, it } from "vitest";
import { formatNumber } from "#client/lib/numbers.ts";

it("shows numbers with the decimals that are wanted", () => {
  for (const language of ["en", "zh"] as const) {
    expect(formatNumber(0.26, language, 1)).toBe("0.3");
    expect(formatNumber(20, language, 2)).toBe("20.00");
    expect(formatNumber(12_345, language)).toBe("12,345");
  }
});
