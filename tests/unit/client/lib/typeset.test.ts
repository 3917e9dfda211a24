import { expect, test } from "vitest";
import { type MathNode, typesetFormula } from "#client/lib/typeset.ts";

const typeset = (tex: string, isDisplay = false) => typesetFormula({ tex, isDisplay });

function list(node: MathNode | null): Exclude<MathNode, string>[] {
  return node === null || typeof node === "string" ? [] : [node, ...node.children.flatMap(list)];
}
const readText = (node: MathNode | null): string =>
  node === null ? "" : typeof node === "string" ? node : node.children.map(readText).join("");

test.each<[string, string[], string]>([
  ["E = mc^2", ["msup"], "E=mc2"],
  ["\\sum_{i=1}^{n} x_i", ["munderover", "msub"], "∑i=1nxi"],
  ["a_1*b_1*c", ["msub"], "a1∗b1∗c"],
  ["\\frac{\\partial u}{\\partial t} = \\alpha\\nabla^2 u", ["mfrac"], "∂u∂t=α∇2u"],
  ["\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", ["mtable", "mtd"], "(abcd)"],
  ["\\sqrt[3]{x}", ["mroot"], "x3"],
  ["\\ce{H2O}", ["msub"], "H2O"],
  ["\\text{熵 } S \\ge 0", ["mtext"], "熵 S≥0"],
])("typesets %s", (tex, names, text) => {
  const math = typeset(tex, true);
  const found = list(math).map(({ name }) => name);
  expect(found).toEqual(expect.arrayContaining(names));
  expect(readText(math).replaceAll("\u00a0", " ")).toBe(text);
});

test("says how the formula stands in the text", () => {
  expect(typeset("x_1")?.attributes.display).toBeUndefined();
  expect(typeset("x_1", true)?.attributes.display).toBe("block");
});

test.each([
  "\\href{javascript:alert(1)}{x}",
  "\\url{https://a.example}",
  "\\includegraphics{https://a.example/x.png}",
  "\\class{a}{x}",
  "\\style{color:red}{x}",
  "\\data{a=b}{x}",
  "\\frac{a",
  "a}",
  "\\nosuchcommand",
  "\\def\\a{\\a\\a}\\a",
  "\\newcommand{\\a}{x}\\a",
  "\\let\\a=\\b x",
  "x^{".repeat(40) + "}".repeat(40),
  "\\sqrt".repeat(190),
  "a+".repeat(501),
])("leaves %s as it is written", (tex) => expect(typeset(tex)).toBeNull());

test("gives no addresses, handlers, identifiers and colours, whatever is written", () => {
  const math = typeset(
    "\\text{<img src=x onerror=alert(1)>} \\color{red}{x} \\colorbox{#fff}{y} \\label{a} \\boxed{z} \\rule{900em}{900em}",
  );
  const elements = list(math);
  expect(elements.length).toBeGreaterThan(4);
  for (const { attributes, style } of elements) {
    expect(Object.keys(attributes).join(" ")).not.toMatch(
      /\b(?:id|href|src|on\w+|\w*color|\w*background)\b/,
    );
    expect(Object.keys(style).join(" ")).not.toMatch(/color|background|position|image/i);
    for (const value of [...Object.values(attributes), ...Object.values(style)])
      expect(value).not.toMatch(/url|script|900|#/);
  }
  expect(readText(math).replaceAll("\u00a0", " ")).toContain("<img src=x onerror=alert(1)>");
});
