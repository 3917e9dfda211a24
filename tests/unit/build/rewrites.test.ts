import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseRewrites, rewrite } from "#build/rewrites.ts";

const rules = parseRewrites(readFileSync("public/_redirects", "utf8"));

it.each([
  ["/auth", "/"],
  ["/record?lecture=1&at=2", "/?lecture=1&at=2"],
  ["/live/code", "/live"],
  ["/live/code?names=1", "/live?names=1"],
  ["/", "/"],
  ["/authx", "/authx"],
  ["/auth/x", "/auth/x"],
  ["/no-such-page?a=/auth", "/no-such-page?a=/auth"],
  ["/src/client/main.tsx", "/src/client/main.tsx"],
])("the development server answers %s as %s", (url, served) => {
  expect(rewrite(rules, url)).toBe(served);
});
