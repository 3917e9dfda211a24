import { expect, it } from "vitest";
import { parsePrintSearch } from "#client/features/export/print/print-search.ts";

it.each([
  ["original", "original"],
  ["translation", "translation"],
  ["x", "both"],
])("prints the sides of an address with %j", (sides, expected) => {
  expect(parsePrintSearch({ lecture: "a", sides }).sides).toBe(expected);
});
