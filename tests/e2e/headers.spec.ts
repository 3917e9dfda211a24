import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buildDir } from "./support/prepared-files.ts";
import type { Site } from "./support/site.ts";
import { expect, test } from "./support/test.ts";

/** The headers of the answer to `path`, split into directives. */
async function fetchHeaders(site: Site, path: string) {
  const { headers } = await fetch(site.url + path, { headers: { accept: "text/html,*/*" } });
  const parts = (name: string, mark: string) =>
    (headers.get(name) ?? "").split(mark).map((part) => part.trim());
  return {
    policy: parts("content-security-policy", ";"),
    permissions: parts("permissions-policy", ","),
    transport: headers.get("strict-transport-security"),
    contentType: headers.get("x-content-type-options"),
    referrer: headers.get("referrer-policy"),
    isolation: headers.get("document-isolation-policy"),
  };
}

/** The path of the page's script. */
async function findScriptPath(site: Site): Promise<string> {
  const page = await (await fetch(`${site.url}/`)).text();
  const path = /\/assets\/[^"]+\.js/.exec(page)?.[0];
  if (!path) throw new Error("The page names no script");
  return path;
}

const paths: Record<string, (site: Site) => string | Promise<string>> = {
  "the home page": () => "/",
  "the sign-in page": () => "/auth",
  "a page that does not exist": () => "/no-such-page",
  "a script": findScriptPath,
  "an answer of the API": () => "/api/health",
  "an answer to a procedure": () => "/trpc/auth.session",
};

for (const [name, getPath] of Object.entries(paths))
  test(`${name} is sent with the security headers`, async ({ site }) => {
    const { policy, permissions, isolation, ...others } = await fetchHeaders(
      site,
      await getPath(site),
    );
    // Inline and generated sources would have to be listed; none is.
    expect(policy).toContain("default-src 'self'");
    // WebAssembly and its threads are for models, which pages run.
    const isAnswer = name.startsWith("an answer");
    const wasm = isAnswer ? "" : " 'wasm-unsafe-eval'";
    expect(policy).toContain(`script-src 'self'${wasm} https://challenges.cloudflare.com`);
    expect(isolation).toBe(isAnswer ? null : "isolate-and-credentialless");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(permissions).toContain("microphone=(self)");
    expect(permissions).toContain("camera=()");
    expect(others).toEqual({
      transport: "max-age=63072000; includeSubDomains",
      contentType: "nosniff",
      referrer: "strict-origin-when-cross-origin",
    });
  });

test("pages may connect to the hub of models, and a reader's page to its own site only", async ({
  site,
}) => {
  const { policy } = await fetchHeaders(site, "/");
  expect(policy).toContain("connect-src 'self' https://huggingface.co https://*.hf.co");
  const reader = await fetchHeaders(site, "/live/code");
  expect(reader.policy).toContain("connect-src 'self'");
  // It runs no model.
  expect(reader.isolation).toBeNull();
});

for (const path of ["/reset-password", "/email-confirmation", "/verify"])
  test(`${path}, whose address may hold a secret, sends no referrer`, async ({ site }) => {
    const { policy, referrer } = await fetchHeaders(site, `${path}?token_hash=secret`);
    expect(referrer).toBe("no-referrer");
    expect(policy).toContain(
      "script-src 'self' 'wasm-unsafe-eval' https://challenges.cloudflare.com",
    );
  });

test("serves and deploys no source maps", async ({ site }) => {
  const script = await findScriptPath(site);
  for (const path of [script, "/sw.js", "/start.js", "/index.js"]) {
    const answer = await fetch(`${site.url}${path}.map`);
    expect(await answer.text()).not.toContain('"mappings"');
  }
  expect((await fetch(`${site.url}${script}.map`)).status).toBe(404);
  const names = (folder: string) => readdirSync(join(buildDir, folder), { recursive: true });
  expect(names("client").filter((name) => String(name).endsWith(".map"))).toEqual([]);
  // Error reports are resolved with these, by the script's name.
  const maps = names("source-maps").map(String);
  const scripts = names("client").map((name) => `${name}.map`);
  expect(maps.filter((name) => name.endsWith(".map") && scripts.includes(name))).not.toEqual([]);
});

test("declares its encoding within the first kilobyte", async ({ site }) => {
  const page = await (await fetch(`${site.url}/`)).arrayBuffer();
  expect(new TextDecoder().decode(page.slice(0, 1024))).toContain('<meta charset="utf-8"');
});

const readAnswer = async (site: Site, path: string) => {
  const answer = await fetch(site.url + path, { redirect: "manual" });
  const isDocument = (await answer.text()).includes('<div id="root">');
  return { path, status: answer.status, isDocument };
};

test("answers pages that exist with their document, and others with 404", async ({ site }) => {
  for (const path of ["/", "/auth", "/record?lecture=1", "/keep", "/live/code", "/verify?token=1"])
    expect(await readAnswer(site, path)).toEqual({ path, status: 200, isDocument: true });
  for (const path of ["/no-such-page", "/recordings/1"])
    expect(await readAnswer(site, path)).toEqual({ path, status: 404, isDocument: true });
  for (const path of [
    "/assets/none.js",
    "/models/x",
    "/sitemap.xml",
    "/favicon.ico",
    "/.git/config",
    "/.well-known/none",
    "/.well-known/openid-configuration",
  ])
    expect(await readAnswer(site, path)).toEqual({ path, status: 404, isDocument: false });
  for (const path of ["/robots.txt", "/.well-known/security.txt"])
    expect(await readAnswer(site, path)).toEqual({ path, status: 200, isDocument: false });
});
