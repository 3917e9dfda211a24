// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { router } from "#client/router.tsx";

it("the hosting knows each page of the router, and no others", () => {
  const listed = [...readFileSync("public/_redirects", "utf8").matchAll(/^(\/\S*) \/ 200$/gm)];
  const pages = Object.keys(router.routesByPath).filter((path) => path !== "/");
  expect(listed.map(([, path]) => path).sort()).toEqual(pages.sort());
});
