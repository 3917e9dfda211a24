import { request } from "node:http";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFront } from "#local/serve/front.ts";

const secret = "a secret of tests that is long enough";
const host = "lectures.example.edu";

/** Answers with what it is told of the caller. */
const product = `export default {
  fetch: (request) => Response.json({
    address: request.headers.get("cf-connecting-ip"),
    secret: request.headers.get("dualect-proxy"),
    signedOn: request.headers.get("remote-email"),
  }),
};`;

describe("a self-hosted site", () => {
  let miniflare: Miniflare;
  let url: URL;
  beforeAll(async () => {
    const front = createFront({ host: "127.0.0.1", port: 0, origin: `https://${host}`, secret });
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        workers: [
          front,
          {
            name: "dualect",
            modules: true,
            compatibilityDate: front.compatibilityDate,
            script: product,
          },
        ],
      }),
    );
    url = await miniflare.unsafeGetDirectURL(front.name);
  });
  afterAll(() => miniflare.dispose());

  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request(new URL(path, url), { headers, method }, async (response) => {
        const body = (await response.toArray()).join("");
        resolve({ status: response.statusCode, body });
      })
        .once("error", reject)
        .end();
    });
  const asProxy = { host, "dualect-proxy": secret };

  it.each([
    ["no secret", {}],
    ["another one", { "dualect-proxy": `${secret}.` }],
    ["an empty one", { "dualect-proxy": "" }],
  ])("answers nobody with %s, whatever the headers say", async (_, given) => {
    const claims = { "x-forwarded-for": "203.0.113.7", "remote-email": "ada@example.edu" };
    for (const path of ["/", "/trpc/auth.signUp", "/mcp"])
      expect((await ask(path, { host, ...claims, ...given })).status).toBe(403);
  });

  it("answers without it only whether it is healthy, for what watches it on this machine", async () => {
    expect((await ask("/api/health", { host: "127.0.0.1" })).status).toBe(200);
    for (const path of ["/api/healthy", "/api/health/"])
      expect((await ask(path, { host })).status).toBe(403);
    expect((await ask("/api/health", { host }, "POST")).status).toBe(403);
  });

  it("serves its own host, and nothing of the runtime", async () => {
    expect((await ask("/", asProxy)).status).toBe(200);
    expect((await ask("/", { ...asProxy, host: "evil.example" })).status).toBe(421);
    expect((await ask("/cdn-cgi/handler/scheduled", asProxy)).status).toBe(404);
  });

  it("believes the address that the proxy has appended, and none that the caller sends", async () => {
    const read = async (headers: Record<string, string>) =>
      JSON.parse((await ask("/", { ...asProxy, ...headers })).body);
    expect(await read({ "x-forwarded-for": "198.51.100.1, 203.0.113.7" })).toMatchObject({
      address: "203.0.113.7",
      secret: null,
    });
    expect(await read({ "cf-connecting-ip": "198.51.100.1" })).toMatchObject({ address: null });
    const both = { "cf-connecting-ip": "198.51.100.1", "x-forwarded-for": "2001:db8::7" };
    expect(await read(both)).toMatchObject({ address: "2001:db8::7" });
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["198.51.100.1 , 203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:5060", "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
    ["[2001:db8::7]:443", "2001:db8::7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["unknown", null],
    ["203.0.113.7, _hidden", null],
    ["", null],
  ])("reads %s as the address %s", async (header, address) => {
    const { body } = await ask("/", { ...asProxy, "x-forwarded-for": header });
    expect(JSON.parse(body).address).toBe(address);
  });
});
