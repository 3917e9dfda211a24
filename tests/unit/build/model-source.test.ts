import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { addModelOrigins, modelSource } from "#build/model-source.ts";

const headers = readFileSync("public/_headers", "utf8");
const rules = (text: string) => text.split("\n\n");

describe("the Content-Security-Policy", () => {
  it("allows the origins of models to pages, and to no path with a rule of its own", () => {
    const [page, ...others] = rules(
      addModelOrigins(headers, ["https://a.test", "https://*.b.test"]),
    );
    expect(page).toContain("; connect-src 'self' https://a.test https://*.b.test; ");
    expect(others).toEqual(rules(headers).slice(1));
  });

  it("stays as it is where the site serves the models itself", () => {
    expect(addModelOrigins(headers, [])).toBe(headers);
  });

  it("fails where the rule is not found", () => {
    expect(() => addModelOrigins("/live/*\n  A: b\n\n", [])).toThrow("the page's rule");
    expect(() => addModelOrigins("/*\n  A: b\n\n", [])).toThrow("connect-src");
  });
});

it("stops a build whose setting is malformed", () => {
  expect(() => modelSource("models")).toThrow("SPEECH_MODEL_URL");
});
