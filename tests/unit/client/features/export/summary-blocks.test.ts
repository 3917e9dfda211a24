import { expect, test } from "vitest";
import { parseSummary, type Runs } from "#client/features/export/summary-blocks.ts";

const getText = (runs: Runs) => runs.map(({ text }) => text).join("");
const read = (summary: string) =>
  parseSummary(summary).flatMap((block) =>
    block.kind === "table" ? [block.head, ...block.rows].flat().map(getText) : getText(block.runs),
  );

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
        { text: " ", bold: false },
        {
          text: "\\[ - a_1 * = b_1 \\]",
          bold: false,
          formula: { tex: "- a_1 *\n= b_1", isDisplay: true },
        },
        { text: " ", bold: false },
        { text: "ends ", bold: true },
        { text: "$x_1$", bold: true, formula: { tex: "x_1", isDisplay: false } },
      ],
    },
  ]);
});

test("keeps formulas in the cells of a table", () => {
  expect(read("| Law | Formula |\n| --- | --- |\n| **Second** | $a_1*b_1$ |")).toEqual([
    "Law",
    "Formula",
    "Second",
    "$a_1*b_1$",
  ]);
});
