import fc from "fast-check";
import { expect, it, test } from "vitest";
import { typesetFormula } from "#client/lib/typeset.ts";
import { greekLetters, isPlainTex, mathCommands, readTex } from "#shared/plain-tex.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

test.each([
  ["x^2", ["letter x", "sign ^", "number 2"]],
  ["\\frac{1}{2}", "command frac,sign {,number 1,sign },sign {,number 2,sign }".split(",")],
  ["\\left( \\text{mass of } m \\right)", ["sign (", "words mass of ", "letter m", "sign )"]],
  ["3.14\\,\\alpha", ["number 3.14", "command alpha"]],
  ["\\text{质量}", ["words 质量"]],
])("reads %s", (tex, tokens) => {
  expect(readTex(tex)?.map(({ kind, text }) => `${kind} ${text}`)).toEqual(tokens);
});

test.each([
  "",
  " ",
  "\\",
  "\\href{a}{b}",
  "\\url{a}",
  "\\def\\a{b}",
  "\\newcommand{\\a}{b}",
  "\\input{a}",
  "\\includegraphics{a}",
  "\\begin{matrix}1\\end{matrix}",
  "\\color{red}1",
  "\\text{\\input{a}}",
  "\\text{$x$}",
  "\\text",
  "x & y",
  "x \\\\ y",
  "x % y",
  "$x$",
  "{x",
  "x}",
  "}x{",
  `${"{".repeat(9)}x${"}".repeat(9)}`,
  "x\u202e",
  "#1",
])("refuses %j", (tex) => {
  expect(isPlainTex(tex)).toBe(false);
});

it("allows only commands that can be typeset", () => {
  const groups: Record<string, string> = {
    binom: "{1}{2}",
    frac: "{1}{2}",
    dfrac: "{1}{2}",
    tfrac: "{1}{2}",
  };
  const wrong = [...mathCommands, ...greekLetters].filter(
    (name) =>
      typesetFormula({ tex: `x\\${name}${groups[name] ?? "{1}"}`, isDisplay: false }) === null,
  );
  expect(wrong).toEqual([]);
});

it("reads any text without an error, and only what has closed groups", () => {
  const text = fc.string({
    unit: fc.constantFrom(..."\\{}^_$%&x1 ()", "\\text", "\\frac", "\\def"),
  });
  fc.assert(
    fc.property(text, (tex) => {
      const tokens = readTex(tex);
      if (tokens === null) return;
      const count = (sign: string) => tokens.filter((token) => token.text === sign).length;
      expect(count("{")).toBe(count("}"));
      expect(tex).not.toMatch(/[$%&]|\\def/);
    }),
    { numRuns: countRuns(500) },
  );
});
