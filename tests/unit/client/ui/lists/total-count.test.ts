// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { getTotalCount } from "#client/ui/lists/paged-list.tsx";

test.each([
  ["a list that is at its end", 12, 40, 12, 12],
  ["a list that goes on, as it was counted elsewhere", null, 120, 50, 120],
  ["a list that goes on, where nothing was counted", null, null, 50, null],
  ["a list that goes on, which was counted before it grew", null, 50, 50, null],
])("%s", (_name, total, counted, count, expected) => {
  expect(getTotalCount(total, counted, count)).toBe(expected);
});
