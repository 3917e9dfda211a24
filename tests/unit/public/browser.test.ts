import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const code = readFileSync("public/browser.js", "utf8");
const polyfills = "/assets/polyfills-1.js";

/** A current browser, as far as the script looks at it. */
const createBrowser = () => ({
  AbortSignal: { any: true, timeout: true },
  Array: {
    fromAsync: true,
    prototype: {
      findLast: true,
      findLastIndex: true,
      toReversed: true,
      toSorted: true,
      toSpliced: true,
      with: true,
    },
  },
  ArrayBuffer: { prototype: { transfer: true } },
  CSS: { supports: (name: string, value: string) => `${name}: ${value}` === "height: 1dvh" },
  HTMLElement: { prototype: { inert: false } },
  Intl: { Segmenter: true },
  Iterator: { prototype: { map: true } },
  Map: { groupBy: true },
  Object: { groupBy: true },
  Promise: { try: true, withResolvers: true },
  RegExp,
  Set: { prototype: { isSubsetOf: true, union: true } },
  String: { prototype: { toWellFormed: true } },
  URL: { canParse: true, parse: true },
  Uint8Array: { fromBase64: true },
  structuredClone: true,
});

function remove(owner: object, path: string): void {
  const [key = "", ...rest] = path.split(".");
  if (rest.length === 0) Reflect.deleteProperty(owner, key);
  else remove(Reflect.get(owner, key), rest.join("."));
}

/** What the script writes into the document of `browser`, and what it writes when its own script fails. */
function run(
  browser: Partial<ReturnType<typeof createBrowser>>,
  script: string | null = polyfills,
) {
  let written = "";
  let fail = () => {};
  const document = {
    currentScript: { getAttribute: () => script },
    write: (html: string) => {
      written += html;
    },
    getElementById: () => ({
      addEventListener: (_type: string, listener: () => void) => {
        fail = listener;
      },
    }),
  };
  const globals = { ...browser, document, window: browser };
  new Function(...Object.keys(globals), code)(...Object.values(globals));
  return {
    written,
    failed: () => {
      written = "";
      fail();
      return written;
    },
  };
}

const load = `<script id="polyfills" src="${polyfills}"></script>`;

describe("the check of what a browser lacks", () => {
  it("writes nothing where nothing is missing", () => {
    expect(run(createBrowser()).written).toBe("");
  });

  it.each([
    "AbortSignal.any",
    "AbortSignal.timeout",
    "Array.fromAsync",
    "Array.prototype.findLast",
    "Array.prototype.toReversed",
    "Array.prototype.toSorted",
    "Array.prototype.toSpliced",
    "Array.prototype.with",
    "Intl.Segmenter",
    "Iterator",
    "Iterator.prototype.map",
    "Map.groupBy",
    "Object.groupBy",
    "Promise.try",
    "Promise.withResolvers",
    "Set.prototype.isSubsetOf",
    "Set.prototype.union",
    "String.prototype.toWellFormed",
    "URL.canParse",
    "URL.parse",
    "Uint8Array.fromBase64",
    "structuredClone",
  ])("loads the functions where %s is missing", (path) => {
    const browser = createBrowser();
    remove(browser, path);
    expect(run(browser).written).toBe(load);
  });

  it("loads no functions in the development server, which has none", () => {
    const browser = createBrowser();
    remove(browser, "Promise.withResolvers");
    expect(run(browser, null).written).toBe("");
  });

  it("says in both languages that the functions could not be fetched, and ends the document", () => {
    const browser = createBrowser();
    remove(browser, "Promise.withResolvers");
    const text = run(browser).failed();
    expect(text).toContain("课译未能加载");
    expect(text).toContain("Dualect could not be loaded");
    expect(text).toMatch(/<plaintext[^>]*>$/);
  });

  const withoutLookbehind = () => {
    throw new SyntaxError("Invalid regular expression");
  };
  it.each([
    [
      "regular expressions that look behind",
      { RegExp: withoutLookbehind as unknown as RegExpConstructor },
    ],
    ["inert elements", { HTMLElement: { prototype: {} } as never }],
    ["elements", { HTMLElement: undefined as never }],
    ["the height of the visible page", { CSS: { supports: () => false } }],
    ["a check of styles", { CSS: undefined as never }],
  ])("says in both languages which browsers are needed in one without %s", (_what, older) => {
    const { written } = run({ ...createBrowser(), ...older });
    expect(written).toContain('lang="zh-Hans"');
    expect(written).toContain("Chrome 或 Edge 109、Firefox 115、Safari 16.4");
    expect(written).toContain("Chrome or Edge 109, Firefox 115, Safari 16.4");
    expect(written).toMatch(/<plaintext[^>]*>$/);
    expect(written).not.toContain("<script");
  });
});

it("is written in the syntax of ECMAScript 5", () => {
  const program = code.replace(/^\s*\/\/.*$/gm, "").replace(/"[^"]*"|'[^']*'/g, "''");
  expect(program).not.toMatch(/=>|`|\?\.|\?\?|\.\.\.|,\s*\)|\*\*/);
  expect(program).not.toMatch(/\b(?:const|let|class|async|await|import|export|of)\b/);
  // A binding may be left out since 2019.
  expect(program).not.toMatch(/catch \{/);
});

it("comes first in both documents", () => {
  for (const path of ["index.html", "live.html"]) {
    const [first] = readFileSync(path, "utf8").match(/<script[^>]*>/g) ?? [];
    expect(first).toBe('<script src="/browser.js">');
  }
});
