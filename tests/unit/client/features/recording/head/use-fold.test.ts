// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { getFold } from "#client/features/recording/head/use-fold.ts";

it.each([
  ["leaves when one reads on", false, 100, 106, true],
  ["stays for less", false, 100, 105, false],
  ["comes back when one scrolls back", true, 300, 294, false],
  ["stays away for less", true, 300, 295, true],
  ["is there at the beginning", true, 60, 40, false],
  ["is there at the beginning, also when one begins to read", false, 0, 40, false],
] as const)("the head %s", (_, isFolded, last, top, expected) => {
  expect(getFold(isFolded, last, top)).toBe(expected);
});
