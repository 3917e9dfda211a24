import { expect, test } from "vitest";
import { markWholeFormulas } from "#client/features/search/mark-formulas.ts";

test.each([
  [
    ["Let ", "$", "x", "^2$"],
    ["Let ", "$x^2$"],
  ],
  [
    ["As $E = ", "mc", "^2$ says, ", "mass", " counts."],
    ["As ", "$E = mc^2$", " says, ", "mass", " counts."],
  ],
  [
    ["", "Heat", " of $5"],
    ["", "Heat", " of $5"],
  ],
  [
    ["$x_1$ and ", "bent"],
    ["$x_1$ and ", "bent"],
  ],
])("marks a formula as a whole: %j", (text, expected) =>
  expect(markWholeFormulas(text)).toEqual(expected),
);
