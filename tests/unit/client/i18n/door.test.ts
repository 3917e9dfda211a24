import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { doorWords } from "../../../../build/dictionaries.ts";
import en from "../../../../src/client/i18n/en.json";

/** What every page loads, and the pages that are seen before signing in. */
const door = [
  "main",
  "routes/auth",
  "routes/not-found",
  "routes/email-confirmation",
  "routes/reset-password",
];

const imports =
  /(?:^import (?!type )[^;]*?from |^import |^export [^;]*?from |import\()"(\.[^"]+)"/gm;
const literal = /"([a-zA-Z]+(?:\.\w+)+)"/g;
const composed = /`([a-zA-Z]+)\.\$\{/g;

/** Each file that `entries` load, now or later; other pages are the router's to load. */
function closure(entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const wanted = entries.map((name) => resolve(`src/client/${name}.tsx`));
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (files.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) continue;
    files.add(file);
    for (const [statement, path] of readFileSync(file, "utf8").matchAll(imports)) {
      const isPage = statement.startsWith("import(") && file.endsWith("/router.tsx");
      if (path && !isPage) wanted.push(resolve(dirname(file), path));
    }
  }
  return files;
}

it("every text that is needed before signing in is loaded before signing in", () => {
  const missing: string[] = [];
  let found = 0;
  for (const file of closure(door)) {
    const source = readFileSync(file, "utf8");
    const keys = [
      ...[...source.matchAll(literal)].map(([, key = ""]) => key).filter((key) => key in en),
      ...[...source.matchAll(composed)].map(([, first = ""]) => `${first}.`),
    ];
    found += keys.length;
    for (const key of keys)
      if (!doorWords.has(key.slice(0, key.indexOf("."))))
        missing.push(`${relative(".", file)}: ${key}`);
  }
  expect(found).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

it("and no part of the dictionary is named in vain", () => {
  const firsts = new Set(Object.keys(en).map((key) => key.slice(0, key.indexOf("."))));
  expect([...doorWords].filter((word) => !firsts.has(word))).toEqual([]);
});
