import { expect, it, test } from "vitest";
import { findWords, hasSameFormulas, selectFormulas } from "#shared/row-formulas.ts";

test.each([
  ["one over n", "n", 9],
  ["n分之一", "n", 0],
  ["n分之一", "分之一", 1],
  ["x squared", "square", -1],
  ["x squared", "", -1],
  ["in and on", "n", -1],
])("finds whole words: in “%s” “%s” at %d", (text, words, at) => {
  expect(findWords(text, words)).toBe(at);
});

it("tries a bounded number of places", () => {
  expect(findWords(`${"an ".repeat(100)}n`, "n")).toBe(-1);
});

const formula = (words: string) => ({ words, tex: "x" });
const select = (text: string, ...words: string[]) =>
  selectFormulas(text, words.map(formula)).map((one) => one.words);

it("keeps the formulas whose words a corrected text still has, beside each other", () => {
  expect(select("x squared plus one over n", "x squared", "one over n")).toEqual([
    "x squared",
    "one over n",
  ]);
  expect(select("x cubed plus one over n", "x squared", "one over n")).toEqual(["one over n"]);
  expect(select("x over n", "x over n", "over n")).toEqual(["x over n"]);
  expect(select("x or x", "x", "x", "x")).toEqual(["x", "x"]);
  expect(select("anything")).toEqual([]);
  expect(selectFormulas("anything", undefined)).toEqual([]);
});

it("takes none for the same as missing", () => {
  expect(hasSameFormulas(undefined, [])).toBe(true);
  expect(hasSameFormulas([formula("x")], [formula("x")])).toBe(true);
  expect(hasSameFormulas([formula("x")], [formula("y")])).toBe(false);
  expect(hasSameFormulas([formula("x")], undefined)).toBe(false);
});
