/** What the stand-in makes of words, one after the other. */
const rules: readonly [RegExp, string][] = [
  [/\s*\bsquared\b|的?平方/g, "^2"],
  [/\s*\bcubed\b|的?立方/g, "^3"],
  [/\bplus\b|加上?/g, "+"],
  [/\bminus\b|减去?/g, "-"],
  [/\btimes\b|乘以?/g, "\\cdot "],
  [/\bequals\b|等于/g, "="],
  [/\bone\b|一/g, "1"],
  [/\btwo\b|二|两/g, "2"],
  [/(\w)\s*分之\s*(\w)/g, "\\frac{$2}{$1}"],
  [/(\w)\s+over\s+(\w)/g, "\\frac{$1}{$2}"],
];

const word = "(?:[b-hj-z]|squared|cubed|plus|minus|times|equals|over|one|two)";
const sign = "(?:的?平方|的?立方|加上?|减去?|乘以?|等于|分之|[一二两])";
const spoken = new RegExp(
  `\\b${word}(?: ${word})+\\b|(?<![a-z])[a-z]?(?:${sign}(?:[a-z](?![a-z]))?){2,}`,
  "gi",
);

/** As JSON: the formulas of a sentence that have letters, one and two, and a few operations. */
export function createFormulas(text: string): string {
  const formulas = (text.match(spoken) ?? []).map((words) => ({
    words,
    tex: rules
      .reduce((tex, [pattern, replacement]) => tex.replace(pattern, replacement), words)
      .trim(),
  }));
  return JSON.stringify({ formulas });
}
