import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";

it("uses every message key in the program, as a whole or by its prefix or suffix", () => {
  const named = new Set<string>();
  const beginnings = new Set<string>();
  const endings = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) named.add(node.text);
    // `plan.${tier}`
    if (ts.isTemplateExpression(node) && node.head.text.includes("."))
      beginnings.add(node.head.text);
    // `${page}.error`
    if (ts.isTemplateExpression(node) && node.head.text === "") {
      const ending = node.templateSpans[0]?.literal.text;
      if (node.templateSpans.length === 1 && ending?.startsWith(".")) endings.add(ending);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of globSync("src/{client,shared}/**/*.{ts,tsx}"))
    visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));

  const files = globSync("src/client/**/en.json");
  const keys = files.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, "utf8"))));
  expect(keys).not.toEqual([]);
  const isNamed = (key: string) =>
    named.has(key) ||
    [...beginnings].some((beginning) => key.startsWith(beginning)) ||
    [...endings].some((ending) => key.endsWith(ending));
  expect(keys.filter((key) => !isNamed(key))).toEqual([]);
});
