import { describe, expect, it, test } from "vitest";
import { listSaidNumbers, splitTokens } from "#server/ai/formulas/said-numbers.ts";
import { isSaidTex } from "#server/ai/formulas/said-tex.ts";
import { greekLetters, mathCommands, readTex } from "#shared/plain-tex.ts";

const isSaid = (tex: string, words: string) => {
  const tokens = readTex(tex);
  if (tokens === null) throw new Error(`${tex} is not plain`);
  return isSaidTex(tokens, words);
};

test.each([
  ["x squared plus one over n", "x^2 + \\frac{1}{n}"],
  ["x squared plus one over n", "\\frac{x^2 + 1}{n}"],
  ["the square root of two", "\\sqrt{2}"],
  ["the cube root of x", "\\sqrt[3]{x}"],
  ["one half m v squared", "\\frac{1}{2}mv^2"],
  ["a third of x", "\\frac{1}{3}x"],
  ["E equals mc squared", "E = mc^2"],
  ["three point one four", "3.14"],
  ["point five", "0.5"],
  ["twenty-five x", "25x"],
  ["two hundred and six over nineteen", "\\frac{206}{19}"],
  ["x to the fourth", "x^4"],
  ["the nth root of a", "\\sqrt[n]{a}"],
  ["the integral from zero to infinity of e to the minus x dx", "\\int_0^\\infty e^{-x}\\,dx"],
  ["sum from i equals one to n of x sub i", "\\sum_{i=1}^{n} x_i"],
  ["the sum of i from one to n", "\\sum_{i=1}^{n} i"],
  ["the limit as x approaches zero of sine x over x", "\\lim_{x \\to 0} \\frac{\\sin x}{x}"],
  ["derivative of y with respect to x", "\\frac{dy}{dx}"],
  [
    "minus b plus or minus the square root of b squared minus four ac all over two a",
    "\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}",
  ],
  ["probability of A given B", "P(A \\mid B)"],
  [
    "force equals mass times acceleration",
    "\\text{force} = \\text{mass} \\times \\text{acceleration}",
  ],
  ["variance of x equals sigma squared", "\\operatorname{Var}(x) = \\sigma^2"],
  ["x is less than or equal to ten", "x \\leq 10"],
  ["n factorial", "n!"],
  ["why equals two ex", "y = 2x"],
  ["x的平方加上n分之一", "x^2 + \\frac{1}{n}"],
  ["根号二约等于一点四", "\\sqrt{2} \\approx 1.4"],
  ["负b加减根号b方减四ac除以二a", "\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}"],
  ["一百二十三乘以x", "123x"],
  ["i从一到n求和", "\\sum_{i=1}^n i"],
  ["力等于质量乘以加速度", "\\text{力} = \\text{质量} \\times \\text{加速度}"],
  ["西格玛的平方", "\\sigma^2"],
  ["对x求积分", "\\int x\\,dx"],
])("“%s” may be %s", (words, tex) => {
  expect(isSaid(tex, words)).toBe(true);
});

test.each([
  ["a number", "x squared plus one over n", "x^2 + \\frac{2}{n} + 7"],
  ["another number of the same digits", "x plus one, two", "x + 21"],
  ["a letter", "x squared plus one over n", "x^2 + \\frac{1}{m}"],
  ["a Greek letter", "x squared", "\\lambda x^2"],
  ["a fraction", "x plus n", "\\frac{x}{n}"],
  ["a root", "x plus two", "\\sqrt{x} + 2"],
  ["a power", "x plus two", "x^2"],
  ["a sum", "x and n", "\\sum_{n} x"],
  ["an integral", "x over n", "\\int \\frac{x}{n}"],
  ["a relation", "x, n", "x \\leq n"],
  ["an equation", "x over n", "x = n"],
  ["a sign", "twenty-five x", "-25x"],
  ["what the words mean", "force equals mass times acceleration", "F = ma"],
  ["the name of a formula", "the Pythagorean theorem", "a^2 + b^2 = c^2"],
  ["words", "x equals one", "\\text{hence } x = 1"],
  ["the same again and again", "x", Array.from({ length: 12 }, () => "x").join(" ")],
  ["a number in Chinese", "x的平方", "3x^2"],
  ["a letter in Chinese", "n分之一", "\\frac{1}{m}"],
  ["what properties of objects are called", "constructor plus one", "x + 1"],
])("refuses %s that was not said: “%s”", (_, words, tex) => {
  expect(isSaid(tex, words)).toBe(false);
});

it("knows what each command of mathematics may come from", () => {
  const words = "hello";
  const all = [...mathCommands, ...greekLetters];
  // With a source, these words are not it; without one, a command could never be said.
  const everything = "every";
  expect(all.filter((name) => isSaid(`\\${name}`, words))).toEqual([]);
  expect(isSaid("\\forall", everything)).toBe(true);
});

describe("listSaidNumbers", () => {
  test.each([
    ["nineteen", ["19"]],
    ["forty two", ["2", "40", "42"]],
    ["two thousand and six", ["2", "6", "2000", "2006"]],
    ["1,000", ["1000"]],
    ["二十三", ["2", "3", "20", "23", "10", "13"]],
    ["一万零五百", ["1", "0", "5", "500", "10000", "10500"]],
  ])("%s", (words, numbers) => {
    expect([...listSaidNumbers(splitTokens(words))]).toEqual(expect.arrayContaining(numbers));
  });
});
