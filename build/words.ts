import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** What every page loads, and the pages that are seen before signing in: relative to `src/client`. */
const door = [
  "main",
  "routes/auth",
  "routes/not-found",
  "routes/email-confirmation",
  "routes/reset-password",
];

/** Whether a page, named as below, has no words but those that every page loads. */
export const isAtTheDoor = (page: string): boolean => door.includes(`routes/${page}`);

/** Pages whose first screen has words of its own; the rest of them are `PAGE-later`. */
const inTwo = new Set(["home", "record"]);

const imports =
  /(?:^import (?!type )[^;]*?from |^import |^export [^;]*?from |import\()"(\.[^"]+)"/gm;
/** A key, and the beginning of one that is put together. */
const literal = /"([a-zA-Z]\w*(?:\.\w+)+)"/g;
const composed = /`([a-zA-Z]\w*\.[\w.]*)\$\{/g;

/**
 * Which keys of the dictionary a page may need: those that its program, and whatever that loads later,
 * names. A page is the name of its file in `src/client/routes`; `mock` are the pages of that folder, and
 * `door` is what every page has already. Of `home` and `record` it is what they need at once, and of
 * `home-later` and `record-later` the rest.
 *
 * @throws when there is no such page.
 */
export function keysOf(page: string, keys: readonly string[]): Set<string> {
  if (page === "door") return keysIn(door, keys);
  const there = keysIn(door, keys);
  const without = (found: ReadonlySet<string>, others: ReadonlySet<string>) =>
    new Set([...found].filter((key) => !others.has(key)));
  const name = page.replace(/-later$/, "");
  const entry = name === "mock" ? "mock/index" : `routes/${name}`;
  const program = without(keysIn([entry], keys), there);
  if (!inTwo.has(name)) return program;
  const atOnce = without(keysIn([entry], keys, { later: false }), there);
  return name === page ? atOnce : without(program, atOnce);
}

/** What a program is read with: all of it, or without what it loads later. */
interface Reading {
  later: boolean;
}

function keysIn(
  entries: readonly string[],
  keys: readonly string[],
  reading: Reading = { later: true },
): Set<string> {
  const known = new Set(keys);
  const found = new Set<string>();
  for (const source of sourcesOf(entries, reading)) {
    for (const [, key = ""] of source.matchAll(literal)) if (known.has(key)) found.add(key);
    for (const [, start = ""] of source.matchAll(composed))
      for (const key of keys) if (key.startsWith(start)) found.add(key);
  }
  return found;
}

/** The text of each file that `entries` load. Other pages are the router's to load. */
function sourcesOf(entries: readonly string[], { later }: Reading): string[] {
  const sources = new Map<string, string>();
  const wanted = entries.map((name) => resolve(`src/client/${name}.tsx`));
  for (const entry of wanted) if (!existsSync(entry)) throw new Error(`There is no ${entry}`);
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (sources.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) continue;
    const source = readFileSync(file, "utf8");
    sources.set(file, source);
    for (const [statement, path] of source.matchAll(imports)) {
      const isLater = statement.startsWith("import(");
      const isPage = isLater && file.endsWith("/router.tsx");
      if (path && !isPage && (later || !isLater)) wanted.push(resolve(dirname(file), path));
    }
  }
  return [...sources.values()];
}
