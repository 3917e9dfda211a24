import { expect, test } from "vitest";
import { dropCutFormula, replaceLiterals, splitFormulas } from "#client/lib/formulas.ts";

function list(text: string) {
  const found: string[] = [];
  replaceLiterals(text, ({ formula, text: written }) => {
    if (formula) found.push(written);
    return written;
  });
  return found;
}

test.each<[string, string[]]>([
  ["Energy \\(E = mc^2\\), prices $5 and $6, `\\(code\\)`", ["\\(E = mc^2\\)"]],
  ["Sum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$", ["\\[\\sum_{i=1}^{n} x_i\\]", "$a_1*b_1*c$"]],
  ["\\[\na = b\n\\]\n\n$$\nx_1\n$$", ["\\[\na = b\n\\]", "$$\nx_1\n$$"]],
  ["由 $n$ 得 $2n$，即 \\(f(x)\\)。", ["$n$", "$2n$", "\\(f(x)\\)"]],
  ["$\\frac{1}{2}$-fold", ["$\\frac{1}{2}$"]],
  ["单价为$5，共$n$元", ["$n$"]],
  ["Por $5, o sea $x^2$ veces", ["$x^2$"]],
])("finds the formulas of %j", (text, formulas) => expect(list(text)).toEqual(formulas));

test.each([
  "It costs $5, or $6.50 with tax.",
  "$5 each or 6$ a pair",
  "US$5 (about €4.50), HK$40",
  "See \\[1\\] and \\[note\\], \\(as he said\\).",
  "\\[12:34] The lecture begins. \\[13:00] It ends.",
  "```\n$x_1$\n```",
  "`$a_1$` and ``\\(b\\)``",
  "A price of \\$5_a and \\$6_b",
  "\\(not\n\na formula = 1\\)",
  "export PATH=$HOME/bin:$PATH",
  "Tickets: $5-10 per head, 10$ at the door",
  "Von $20/Monat bis 30 $, 40$ im Jahr",
])("finds none in %j", (text) => expect(list(text)).toEqual([]));

test.each(["\\(", "\\[a ", "$$", "$a ", "`", "` `` ", "\\(\n", "$\n"])(
  "reads a text that is full of %j in less than a second",
  (sign) => {
    const began = process.cpuUsage();
    list(sign.repeat(50_000 / sign.length));
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  },
);

test("divides a text into formulas, with what they are without their signs, and the texts between them", () => {
  const text = "Sum \\[ \\sum x_i \\] and $a_1*b_1*c$, `$x$` for $5 or\n$$\nE = mc^2\n$$";
  const pieces = splitFormulas(text);
  expect(pieces).toEqual([
    "Sum ",
    { text: "\\[ \\sum x_i \\]", formula: { tex: "\\sum x_i", isDisplay: true } },
    " and ",
    { text: "$a_1*b_1*c$", formula: { tex: "a_1*b_1*c", isDisplay: false } },
    ", `$x$` for $5 or\n",
    { text: "$$\nE = mc^2\n$$", formula: { tex: "E = mc^2", isDisplay: true } },
  ]);
  const written = pieces.map((piece) => (typeof piece === "string" ? piece : piece.text));
  expect(written.join("")).toBe(text);
});

test.each([
  ["Let $f(x)$ be $\\int_0^1 f(x) d…", "Let $f(x)$ be …"],
  ["Let \\(\\frac{a}...", "Let ..."],
  ["So $$\\sum_{i=1}^n x_i…", "So …"],
  ["It costs $5, and $x^2$ is x_1…", "It costs $5, and $x^2$ is x_1…"],
  ["It costs $5, and the rest…", "It costs $5, and the rest…"],
  ["$x^2$", "$x^2$"],
])("drops of %j what is cut off of a formula", (text, expected) =>
  expect(dropCutFormula(text)).toBe(expected),
);
