import { expect, test } from "vitest";
import { replaceLiterals } from "#client/lib/formulas.ts";

function list(text: string) {
  const found: string[] = [];
  replaceLiterals(text, ({ kind, text: written }) => {
    if (kind === "formula") found.push(written);
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
