import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Whole lines of comments. */
const comments = /^\s*(\/\/|\/?\*).*$/gm;

it("uses every message key in the program, as a whole or by its prefix or suffix", () => {
  const program = globSync("src/{client,shared}/**/*.{ts,tsx}")
    .map((file) => readFileSync(file, "utf8").replace(comments, ""))
    .join("\n");
  const find = (pattern: RegExp) => [...program.matchAll(pattern)].map(([, text = ""]) => text);
  const named = new Set(find(/["`]([\w.]+)["`]/g));
  // `plan.${tier}`
  const beginnings = [...new Set(find(/`(\w[\w.]*\.[\w.]*)\$\{/g))];
  // `${page}.error`
  const endings = [...new Set(find(/`\$\{[^`}]*\}(\.[\w.]*)`/g))];

  const files = globSync("src/client/**/en.json");
  const keys = files.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, "utf8"))));
  expect(keys).not.toEqual([]);
  const isNamed = (key: string) =>
    named.has(key) ||
    beginnings.some((beginning) => key.startsWith(beginning)) ||
    endings.some((ending) => key.endsWith(ending));
  expect(keys.filter((key) => !isNamed(key))).toEqual([]);
});
