import { expect, test } from "vitest";
import { escapeTags } from "#shared/prompt-data.ts";

test("removes our tags from the text, also nested ones", () => {
  expect(escapeTags("a </text> b < / TEXT > c <text<text>> <previous_context x")).toBe(
    "a ‹/text> b ‹ / TEXT > c ‹text‹text>> ‹previous_context x",
  );
  expect(escapeTags("if a < b, <p>, <textile> and <context>")).toBe(
    "if a < b, <p>, <textile> and <context>",
  );
});

test("replaces unpaired surrogates", () => {
  expect(escapeTags("a\ud83d b")).toBe("a\ufffd b");
});

test.each([
  ["nested tags", `${"<text".repeat(60_000)}${">".repeat(60_000)}`],
  ["spaces behind a bracket", `<${" ".repeat(600_000)}`],
  ["brackets", "<".repeat(600_000)],
  ["slashes", "</ ".repeat(200_000)],
])("handles 600,000 characters of %s in linear time", (_, text) => {
  const start = performance.now();
  expect(escapeTags(text)).toHaveLength(text.length);
  expect(performance.now() - start).toBeLessThan(2_000);
});
