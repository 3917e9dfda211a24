import { createExecutionContext, env, SELF, waitOnExecutionContext } from "cloudflare:test";
import { beforeEach, describe, expect, test, vi } from "vitest";
import pageHeaders from "#public/_headers?raw";
import { passwordMinLength } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import {
  createCredentials,
  fromOwnPage,
  openSignedIn,
  origin,
} from "#tests/worker/support/browser.ts";
import { app } from "#worker/http/app.ts";
import worker from "#worker/index.ts";

const post = (path: string, body: unknown, headers: Record<string, string> = fromOwnPage) =>
  SELF.fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** What the worker logs during each test of the group. */
function recordLog(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    for (const level of ["info", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)));
    return () => vi.restoreAllMocks();
  });
  return lines;
}

describe("answers", () => {
  test("include the health, which queries the database", async () => {
    const response = await SELF.fetch(`${origin}/api/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok", version: expect.any(String) });
  });

  test("are an ErrorBody for an unknown address below /api", async () => {
    const response = await SELF.fetch(`${origin}/api/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: { code: "not_found" } });
  });

  test("carry the page's security headers and a request id", async () => {
    // Only pages run models, and are isolated for them.
    const [section = ""] = pageHeaders
      .replace(" 'wasm-unsafe-eval'", "")
      .replace(/^ *Document-Isolation-Policy:.*\n/m, "")
      .split("\n\n");
    const policies = section
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/: (.*)/));
    expect(policies.length).toBeGreaterThan(5);
    for (const path of ["/api/health", "/api/nothing", "/trpc/site.info"]) {
      const { headers } = await SELF.fetch(`${origin}${path}`);
      for (const [name = "", value] of policies)
        expect([name, headers.get(name)]).toEqual([name, value]);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).not.toMatch(/script-src[^;]*unsafe/);
    }
  });

  test("keep status and headers at a recording's address without an upgrade", async () => {
    const response = await SELF.fetch(`${origin}/api/recordings/${crypto.randomUUID()}`, {
      headers: fromOwnPage,
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("a call of a procedure", () => {
  test.each([
    ["another site by Origin", { origin: "https://evil.test" }],
    ["another site by fetch metadata", { "sec-fetch-site": "cross-site" }],
    ["a sibling host", { "sec-fetch-site": "same-site", origin: "https://www.dualect.test" }],
    ["an opaque origin", { origin: "null" }],
    ["a contradiction", { "sec-fetch-site": "same-origin", origin: "https://evil.test" }],
  ])("is refused from %s", async (_, headers) => {
    const response = await post("/trpc/auth.signOut", undefined, headers);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { data: { appCode: "origin_refused" } } });
  });

  test("is refused with a cookie but without origin headers, and nobody is signed out", async () => {
    const { browser, trpc } = await openSignedIn();
    const response = await post("/trpc/auth.signOut", undefined, { cookie: browser.cookie ?? "" });
    expect(response.status).toBe(403);
    expect((await trpc.auth.session.query()).user).not.toBeNull();
  });

  test.each([
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/octet-stream",
    "application/jsonp",
  ])("is refused with content type %s", async (type) => {
    const response = await SELF.fetch(`${origin}/trpc/auth.signOut`, {
      method: "POST",
      headers: { ...fromOwnPage, "content-type": type },
      body: "--x--",
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      error: { data: { appCode: "unsupported_media_type" } },
    });
  });

  test("may be one of ten in a request, not of eleven", async () => {
    const batch = (size: number) => {
      const paths = Array(size).fill("site.info").join(",");
      return SELF.fetch(`${origin}/trpc/${paths}?batch=1&input=%7B%7D`);
    };
    expect((await batch(10)).status).toBe(200);
    const refused = await batch(11);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(await refused.json())).toContain('"appCode":"validation_failed"');
  });

  test("is refused with a body beyond the limit", async () => {
    const response = await post("/trpc/auth.signIn", { email: "x".repeat(5 * 1024 * 1024) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { data: { appCode: "payload_too_large" } },
    });
  });

  test("answers an invalid form field with its message key", async () => {
    const response = await post("/trpc/auth.signUp", { email: "nobody", password: "x" });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        code: -32600,
        message: "validation_failed",
        data: {
          code: "BAD_REQUEST",
          httpStatus: 400,
          appCode: "validation_failed",
          messageKey: "validation.email",
          issues: [
            { field: "email", rule: "invalid_format", format: "email" },
            { field: "password", rule: "too_small", minimum: passwordMinLength },
          ],
        },
      },
    });
  });

  test.each([
    ["no JSON", "/trpc/auth.signIn", "{"],
    ["an unknown procedure", "/trpc/auth.becomeAdmin", "{}"],
    ["the wrong method", "/trpc/site.info", "{}"],
  ])("is answered with a code and without internal detail: %s", async (_, path, body) => {
    const response = await SELF.fetch(`${origin}${path}`, {
      method: "POST",
      headers: { ...fromOwnPage, "content-type": "application/json" },
      body,
    });
    const text = await response.text();
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(text).toMatch(/"appCode":"(validation_failed|not_found)"/);
    expect(text).not.toMatch(/stack|\.ts|node_modules|Unexpected|becomeAdmin/);
  });
});

describe("the log", () => {
  const lines = recordLog();

  test("has one JSON line for each request, without query, address or password", async () => {
    const credentials = createCredentials();
    await post("/trpc/auth.signIn?x=secret", credentials);
    const requests = lines
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === "request");
    expect(requests).toEqual([
      {
        level: "info",
        event: "request",
        requestId: expect.any(String),
        method: "POST",
        path: "/trpc/auth.signIn",
        status: 401,
        ms: expect.any(Number),
      },
    ]);
    expect(lines.join("\n")).not.toMatch(/example\.org|correct horse|secret/);
  });
});

describe("an address without a file", () => {
  /** The hosting's files: of those that are asked for, the document exists. */
  const files = {
    fetch: async (url: string, { method }: { method: string }) =>
      new Response(method === "HEAD" ? null : `document of ${new URL(url).pathname}`, {
        headers: { "content-type": "text/html", "cache-control": "public", etag: '"1"' },
      }),
  };

  const ask = async (path: string, init: RequestInit = {}, settings = {}) => {
    const bindings = { ...env, ASSETS: files as unknown as Fetcher, ...settings };
    const context = createExecutionContext();
    const request = new Request(origin + path, init);
    const answer = await worker.fetch(request, bindings, context);
    await waitOnExecutionContext(context);
    const { status, headers } = answer;
    const header = (name: string) => headers.get(name);
    return {
      status,
      type: header("content-type"),
      cache: header("cache-control"),
      headers,
      text: await answer.text(),
    };
  };

  test.each([
    "/assets/base-0.js",
    "/assets/base",
    "/models",
    "/models/x",
    "/models/x/config.json",
    "/sitemap.xml",
    "/favicon.ico",
    "/.well-known",
    "/.well-known/change-password",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-protected-resource/trpc",
    "/.well-known/openid-configuration",
    "/mcp/.well-known/openid-configuration",
    "/mcp/none",
    "/.git/config",
    "/wp-login.php",
    "/start.js/x",
    "/api",
    "/api/none",
  ])("%s is answered with 404 and a short text", async (path) => {
    const { status, type, cache, headers, text } = await ask(path);
    expect([status, text]).toEqual([404, '{"error":{"code":"not_found"}}']);
    expect([type, cache]).toEqual(["application/json", "no-store"]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each(["/no-such-page", "/lectures/1", "/record/", "/assetsx"])(
    "%s may have been meant as a page: it shows the document, with 404",
    async (path) => {
      const { status, type, cache, headers, text } = await ask(path);
      expect([status, text]).toEqual([404, "document of /"]);
      expect([type, cache, headers.get("etag")]).toEqual(["text/html", "no-store", null]);
      expect(await ask(path, { method: "HEAD" })).toMatchObject({ status: 404, text: "" });
      expect((await ask(path, { method: "POST" })).text).toContain("not_found");
    },
  );

  test("reads no session", async () => {
    const cookie = { cookie: "dualect_session=anything" };
    const cut = { LOCAL_STACK_URL: "http://127.0.0.1:1" };
    const token = { authorization: "Bearer dualect_of-nobody" };
    for (const path of ["/assets/base-0.js", "/api/none", "/api/health/none", "/mcp/none"])
      for (const headers of [cookie, token])
        expect([path, (await ask(path, { headers }, cut)).status]).toEqual([path, 404]);
    expect((await ask("/robots.txt", { headers: cookie }, cut)).status).toBe(200);
  });

  test("may be one for robots", async () => {
    const { status, type, text } = await ask("/robots.txt");
    expect([status, type]).toEqual([200, "text/plain; charset=UTF-8"]);
    expect(text).toMatch(/^User-agent: \*\n(Disallow: \/\w+\/?\n)+$/);
  });

  test.each([
    [
      "that the operator has set",
      { SECURITY_CONTACT: "https://example.org/security" },
      "https://example.org/security",
    ],
    [
      "from which mails are sent",
      { RESEND_API_KEY: "key", MAIL_FROM: "Dualect <hi@example.org>" },
      "mailto:hi@example.org",
    ],
    [
      "of mails, without a name",
      { RESEND_API_KEY: "key", MAIL_FROM: "hi@example.org" },
      "mailto:hi@example.org",
    ],
  ])(
    "may be security.txt, with the contact %s, which never expires",
    async (_, settings, contact) => {
      const { status, type, text } = await ask("/.well-known/security.txt", {}, settings);
      expect([status, type]).toEqual([200, "text/plain; charset=UTF-8"]);
      const fields = Object.fromEntries(
        text
          .trim()
          .split("\n")
          .map((line) => line.split(/: (.*)/)),
      );
      expect(fields).toMatchObject({
        Contact: contact,
        Canonical: `${origin}/.well-known/security.txt`,
      });
      const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(100);
      // RFC 9116, section 2.5.5.
      expect(days).toBeLessThan(365);
    },
  );
});

describe("failures", () => {
  const lines = recordLog();

  test("of the environment are answered with 500, and the log names the variables", async () => {
    const broken = { ...env, APP_ENV: "production", GUEST_TICKET_SECRET: "too-short-to-sign" };
    const response = await app.request(`${origin}/api/health`, {}, broken);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: { code: "internal" } });
    const log = lines.join("\n");
    expect(log).toContain("GUEST_TICKET_SECRET");
    expect(log).not.toContain("too-short-to-sign");
  });

  test("of the database are answered with `unavailable` in each route's format", async () => {
    // Nothing listens on port 1.
    const cut = { ...env, LOCAL_STACK_URL: "http://127.0.0.1:1" };
    const health = await app.request(`${origin}/api/health`, {}, cut);
    expect(health.status).toBe(503);
    expect(Number(health.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await health.json()).toEqual({
      error: { code: "unavailable", retryAfterSeconds: expect.any(Number) },
    });

    const cookie = { ...fromOwnPage, cookie: "dualect_session=anything" };
    const session = await app.request(`${origin}/trpc/auth.session`, { headers: cookie }, cut);
    expect(session.status).toBe(503);
    expect(await session.json()).toMatchObject({ error: { data: { appCode: "unavailable" } } });

    const signIn = await app.request(
      `${origin}/trpc/auth.signIn`,
      {
        method: "POST",
        headers: { ...fromOwnPage, "content-type": "application/json" },
        body: JSON.stringify({ email: "somebody@example.org", password: "correct horse" }),
      },
      cut,
    );
    expect(signIn.status).toBe(503);
    expect(await signIn.json()).toMatchObject({
      error: { data: { appCode: "unavailable", retryAfterSeconds: expect.any(Number) } },
    });
    expect(lines.join("\n")).not.toContain("somebody@example.org");

    // Other connections of the isolate are not affected.
    expect((await app.request(`${origin}/api/health`, {}, env)).status).toBe(200);
  });
});

test("an answer without a body, and a long one, arrive as they are", async () => {
  const { browser, trpc } = await openSignedIn();
  const head = await browser.fetch("/trpc/site.info", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([204, ""]);
  const id = crypto.randomUUID();
  await trpc.lectures.create.mutate({ id, title: "Long", targetLanguage: "fr" });
  const entries = Array.from({ length: 20 }, (_, ordinal) =>
    createEntry(`${ordinal} ${"光".repeat(9_000)}`, ordinal, { ordinal }),
  );
  await trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
  const input = encodeURIComponent(JSON.stringify({ id }));
  const long = await browser.fetch(`/trpc/lectures.get?input=${input}`);
  expect(long.headers.get("content-type")).toBe("application/json");
  const { result } = (await long.json()) as { result: { data: { entries: unknown[] } } };
  expect(result.data.entries).toHaveLength(20);
});
