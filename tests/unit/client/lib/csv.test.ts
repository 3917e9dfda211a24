import fc from "fast-check";
import { expect, it } from "vitest";
import {
  formatCsv,
  neutralizeFormula,
  parseTable,
  restoreFormula,
  TooManyCellsError,
} from "#client/lib/csv.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

it.each([
  ["a,b\r\nc,d\r\n", "commas"],
  ["a;b\nc;d", "semicolons"],
  ["a\tb\rc\td\r", "tabs"],
  ["\uFEFFa,b\n\n,\nc,d", "a byte order mark and blank rows"],
])("reads %j: %s", (text) => {
  expect(parseTable(text)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

it.each<[string, string[][]]>([
  ['"a,""b"";\n c",d', [['a,"b";\n c', "d"]]],
  ['a\t"b\nc\td"\tlast', [["a", "b\nc\td", "last"]]],
  [
    '"no end,b\nc,d',
    [
      ['"no end', "b"],
      ["c", "d"],
    ],
  ],
  ['"the" cell,b', [['"the" cell', "b"]]],
  ['5" disk\tb', [['5" disk', "b"]]],
  [
    "term;with, a comma\nc;d",
    [
      ["term", "with, a comma"],
      ["c", "d"],
    ],
  ],
  ["one, with a comma\ntwo\nthree", [["one, with a comma"], ["two"], ["three"]]],
  ["", []],
])("reads %j", (text, rows) => {
  expect(parseTable(text)).toEqual(rows);
});

it("reads back what it has written", () => {
  const cell = fc.string({ unit: fc.constantFrom(..."ab \t\r\n\",;'=é课") });
  const row = fc.tuple(cell, cell, cell).filter((cells) => cells.some((one) => one.trim() !== ""));
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const table = [["language", "term", "note"], ...rows];
      expect(parseTable(formatCsv(table))).toEqual(table);
    }),
    { numRuns: countRuns(400) },
  );
});

it.each([
  ["=1+1", "'=1+1"],
  ["-ase", "'-ase"],
  ["'=quoted", "''=quoted"],
  ["＝1", "'＝1"],
  ["'tis", "'tis"],
  ["a=b", "a=b"],
])("writes %j as %j, which is no formula", (text, written) => {
  expect(neutralizeFormula(text)).toBe(written);
  expect(restoreFormula(written)).toBe(text);
});

it.each([
  ["rows", "a\n".repeat(100_001)],
  ["columns", ",".repeat(100_001)],
])("is bound in its number of %s", (_, text) => {
  expect(() => parseTable(text)).toThrow(TooManyCellsError);
});

it("reads a quote of any length", () => {
  // A regular expression would need more of the stack than there is.
  const quotes = '"'.repeat(5_000_000);
  expect(parseTable(`"${quotes}",b`)).toEqual([[quotes.slice(0, 2_500_000), "b"]]);
  expect(parseTable(`"${quotes}b,c`)).toEqual([[`"${quotes}b`, "c"]]);
});
