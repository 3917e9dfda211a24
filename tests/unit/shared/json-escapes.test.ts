import { expect, test } from "vitest";
import { repairEscapes } from "#shared/json-escapes.ts";

test.each([
  [String.raw`"\(E = mc^2\)"`, String.raw`\(E = mc^2\)`],
  [String.raw`"\[\frac{1}{2} \times \theta\]"`, String.raw`\[\frac{1}{2} \times \theta\]`],
  [
    String.raw`"$\nu_1 \neq \beta$, $\rho \to \tau$"`,
    String.raw`$\nu_1 \neq \beta$, $\rho \to \tau$`,
  ],
  [String.raw`"\sum_{i=1}^{n} \alpha \uparrow"`, String.raw`\sum_{i=1}^{n} \alpha \uparrow`],
  [String.raw`"\\frac{1}{2} and \\(x\\)"`, String.raw`\frac{1}{2} and \(x\)`],
])("keeps the backslashes of the formulas in %s", (json, text) =>
  expect(JSON.parse(repairEscapes(json))).toBe(text),
);

test.each([
  ['"One.\\nTwo, \\"three\\"\\tand \\u00e9\\\\."', 'One.\nTwo, "three"\tand é\\.'],
  ['"a\\/b\\fnew\\bback\\rreturn\\nuclear"', "a/b\fnew\bback\rreturn\nuclear"],
])("leaves the escapes of JSON in %s", (json, text) =>
  expect(JSON.parse(repairEscapes(json))).toBe(text),
);
