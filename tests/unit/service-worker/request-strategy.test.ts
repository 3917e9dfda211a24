import { expect, it } from "vitest";
import { getStrategy } from "#service-worker/request-strategy.ts";

const origin = "https://dualect.example";
const stored = new Set(["/", "/start.js", "/assets/base-1.js"]);
const page = { method: "GET", mode: "navigate" };
const part = { method: "GET", mode: "cors" };

it.each([
  ["/", page, "page"],
  ["/record?lecture=1", page, "page"],
  ["/no-such-page", page, "page"],
  ["/reset-password?token_hash=secret", page, "network"],
  ["/verify?token_hash=secret", page, "network"],
  ["/live/AAAAAAAAAAAAAAAAAAAAAA", page, "network"],
  ["/livelihood", page, "page"],
  ["/assets/base-1.js", part, "fixed"],
  ["/assets/of-an-earlier-version.js", part, "fixed"],
  ["/start.js", part, "file"],
  ["/unknown.png", part, "network"],
  ["/sw.js", part, "network"],
  ["/version.txt", part, "network"],
  ["/api", page, "network"],
  ["/api/health", page, "network"],
  ["/trpc/lectures.get", part, "network"],
  ["/trpc/lectures.create", { method: "POST", mode: "cors" }, "network"],
  ["/record", { method: "POST", mode: "navigate" }, "network"],
] as const)("%s %o: %s", (path, request, way) => {
  expect(getStrategy({ ...request, url: origin + path }, origin, stored)).toBe(way);
});

it("leaves other hosts to the network", () => {
  const url = "https://elsewhere.example/assets/base-1.js";
  expect(getStrategy({ ...part, url }, origin, stored)).toBe("network");
});
