import { request } from "node:http";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEdgeProxy } from "#local/edge.ts";
import { isLocalRequest } from "#local/local-requests.ts";

describe("the embedded stack", () => {
  const host = "127.0.0.1:5500";
  const origin = `http://${host}`;
  const navigationHeaders = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  const cases: {
    name: string;
    method?: string;
    headers: Record<string, string>;
    allowed: boolean;
  }[] = [
    { name: "a program without a browser", headers: { host }, allowed: true },
    { name: "localhost", headers: { host: "localhost:5500" }, allowed: true },
    { name: "IPv6's loopback", headers: { host: "[::1]:5500" }, allowed: true },
    { name: "a name that points here", headers: { host: "evil.example:5500" }, allowed: false },
    { name: "a name that begins alike", headers: { host: "127.0.0.1.nip.io" }, allowed: false },
    { name: "an address of the network", headers: { host: "192.168.1.5:5500" }, allowed: false },
    { name: "no host", headers: {}, allowed: false },
    { name: "an invalid host", headers: { host: "a b" }, allowed: false },
    { name: "its own page", headers: { host, "sec-fetch-site": "same-origin" }, allowed: true },
    { name: "the address bar", headers: { host, "sec-fetch-site": "none" }, allowed: true },
    {
      name: "a form of its own page without referrer",
      method: "POST",
      headers: { host, "sec-fetch-site": "same-origin", origin: "null" },
      allowed: true,
    },
    {
      name: "a link of the product",
      headers: { host, "sec-fetch-site": "same-site", ...navigationHeaders },
      allowed: true,
    },
    {
      name: "a frame of another site",
      headers: {
        host,
        "sec-fetch-site": "cross-site",
        ...navigationHeaders,
        "sec-fetch-dest": "iframe",
      },
      allowed: false,
    },
    {
      name: "a form of another site",
      method: "POST",
      headers: { host, "sec-fetch-site": "cross-site", ...navigationHeaders },
      allowed: false,
    },
    {
      name: "a script of another site",
      method: "POST",
      headers: { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      allowed: false,
    },
    {
      name: "a script of another port",
      headers: { host, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
      allowed: false,
    },
    {
      name: "an older browser on another site",
      method: "POST",
      headers: { host, origin: "https://evil.example" },
      allowed: false,
    },
    { name: "an older browser on its page", headers: { host, origin }, allowed: true },
    { name: "an older browser in a sandbox", headers: { host, origin: "null" }, allowed: false },
  ];
  it.each(cases)("$name: $allowed", ({ method = "GET", headers, allowed }) => {
    expect(isLocalRequest({ method, headers })).toBe(allowed);
  });
});

describe("the product's address", () => {
  let miniflare: Miniflare;
  let url: URL;
  beforeAll(async () => {
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        workers: [
          createEdgeProxy({ product: "product", port: 0 }),
          {
            name: "product",
            modules: true,
            compatibilityDate: "2026-10-23",
            script: `export default {
            fetch: (request) => Response.json({ path: new URL(request.url).pathname }),
            scheduled() {},
          };`,
          },
        ],
      }),
    );
    url = await miniflare.unsafeGetDirectURL("front");
  });
  afterAll(() => miniflare.dispose());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; encoding: string | undefined }>((resolve, reject) => {
      request(new URL(path, url), { headers }, (response) => {
        response.resume();
        resolve({
          status: response.statusCode,
          encoding: response.headers["content-encoding"],
        });
      })
        .once("error", reject)
        .end();
    });

  it("answers requests for this machine's names", async () => {
    for (const host of [url.host, `localhost:${url.port}`, "[::1]:80", "localhost"])
      expect(await ask("/api/health", { host })).toMatchObject({ status: 200 });
  });

  it.each(["evil.example", "evil.example:8787", "127.0.0.1.nip.io", "192.168.1.5"])(
    "refuses the host %s, whatever the headers of the runtime say",
    async (host) => {
      for (const path of ["/", "/api/health", "/cdn-cgi/handler/scheduled"])
        expect(await ask(path, { host })).toMatchObject({ status: 403 });
      const steering = { "mf-route-override": "product", "mf-original-url": "http://localhost/" };
      expect(await ask("/api/health", { host, ...steering })).toMatchObject({ status: 403 });
    },
  );

  it.each([
    "/cdn-cgi/handler/scheduled",
    "/cdn-cgi/mf/scheduled",
    "/cdn-cgi/platform-proxy",
    "/cdn-cgi/explorer",
    "/cdn-cgi",
  ])("does not serve %s", async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404 });
    expect(await ask(path, { "mf-route-override": "product" })).toMatchObject({ status: 404 });
  });

  it("compresses for clients that accept gzip", async () => {
    expect(await ask("/a", { "accept-encoding": "gzip, br" })).toMatchObject({ encoding: "gzip" });
    expect((await ask("/a")).encoding).toBeUndefined();
  });
});
