import { expect, test } from "vitest";
import { parseSummary } from "#client/features/export/summary-blocks.ts";

const read = (summary: string) =>
  parseSummary(summary).map(({ runs }) => runs.map(({ text }) => text).join(""));

test("keeps formulas and code as they are written", () => {
  expect(
    read(
      "## With \\(E = mc^2\\)\n\n- **Sum** \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$\n\n`\\(code\\)` costs $5 *or* $6.",
    ),
  ).toEqual([
    "With \\(E = mc^2\\)",
    "Sum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$",
    "\\(code\\) costs $5 or $6.",
  ]);
});

test("keeps a formula of several lines in one block, with its bold neighbours", () => {
  expect(parseSummary("Then\n\\[\n- a_1 *\n= b_1\n\\]\n**ends $x_1$**")).toEqual([
    {
      kind: "paragraph",
      marker: "",
      depth: 0,
      runs: [
        { text: "Then", bold: false },
        { text: " \\[ - a_1 * = b_1 \\]", bold: false },
        { text: " ", bold: false },
        { text: "ends $x_1$", bold: true },
      ],
    },
  ]);
});
