import { describe, expect, it } from "vitest";
import { toSameOriginPath } from "#client/lib/redirect.ts";

const origin = "https://dualect.example";

describe("the redirect after signing in", () => {
  it.each([
    ["/", "/"],
    ["/record?lecture=1#end", "/record?lecture=1#end"],
    ["/../record", "/record"],
  ])("%s is a path of this site", (target, expected) => {
    expect(toSameOriginPath(target, origin)).toBe(expected);
  });

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example",
    "/\n/evil.example",
    "/.//evil.example",
    "/record/..//evil.example",
    "javascript:alert(1)",
    "record",
    "",
    "/auth",
    "/auth?redirect=/auth",
    undefined,
    7,
  ])("%o is refused", (target) => {
    expect(toSameOriginPath(target, origin)).toBeNull();
  });
});
