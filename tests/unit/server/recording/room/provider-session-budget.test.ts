import { expect, test } from "vitest";
import { hasSpareSession } from "#server/recording/room/provider-session-budget.ts";

test.each([
  [2, true],
  [3, false],
])(
  "after %i sessions in the last minute, one that is not necessary may be opened: %s",
  (opened, isSpare) => {
    const now = 1_000_000;
    const times = Array.from({ length: opened }, (_, at) => now - 50_000 + at * 10_000);
    expect(hasSpareSession([now - 60_000, ...times], now)).toBe(isSpare);
  },
);
