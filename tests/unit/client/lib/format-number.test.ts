import { expect, it } from "vitest";
import { formatNumber } from "#client/lib/text.ts";

it("shows numbers with the decimals that are wanted", () => {
  for (const language of ["en", "zh"] as const) {
    expect(formatNumber(0.26, language, 1)).toBe("0.3");
    expect(formatNumber(20, language, 2)).toBe("20.00");
    expect(formatNumber(12_345, language)).toBe("12,345");
    for (const value of [0, 1, 9.94, 19.96, 998.94, 998.96, 999, 1_000, 1_234.5])
      for (const decimals of [0, 1])
        expect(formatNumber(value, language, decimals)).toBe(
          new Intl.NumberFormat(language, {
            minimumFractionDigits: decimals,
            maximumFractionDigits: decimals,
          }).format(value),
        );
  }
});
