import { env, SELF } from "cloudflare:test";
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client";
import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { oauthCodes, oauthTokens, personalTokens } from "#drizzle/schema.ts";
import { sha256 } from "#server/auth/secrets.ts";
import { personalTokensMax } from "#shared/limits.ts";
import { openBrowser, openProgram, openSignedIn, origin } from "#tests/worker/support/browser.ts";
import { getErrorCode } from "#tests/worker/support/errors.ts";
import { useUp } from "#tests/worker/support/limits.ts";
import { createMark } from "#tests/worker/support/owned-rows.ts";
import { getServices } from "#worker/services.ts";
import { allow, callback, createOAuthProgram, openConsent, post } from "./oauth-client.ts";

const { db } = getServices(env);
const tokenPath = "/api/oauth/token";

/** A program that a person has let in. */
async function openConnected() {
  const account = await openSignedIn();
  const program = createOAuthProgram();
  expect(await program.authorize()).toBe("REDIRECT");
  const back = await allow(account, program.kept.page);
  expect(await program.authorize(back)).toBe("AUTHORIZED");
  const clientId = program.kept.client?.client_id ?? "";
  const { access_token = "", refresh_token = "" } = program.kept.tokens ?? {};
  return { account, program, back, clientId, access: access_token, refresh: refresh_token };
}

/** A program that was let in, and has not fetched its tokens yet. */
async function openAllowed() {
  const account = await openSignedIn();
  const program = createOAuthProgram();
  await program.authorize();
  const back = await allow(account, program.kept.page);
  const redemption = {
    grant_type: "authorization_code",
    code: back.searchParams.get("code") ?? "",
    client_id: program.kept.client?.client_id ?? "",
    redirect_uri: callback,
    code_verifier: program.kept.verifier,
    resource: `${origin}/mcp`,
  };
  return { account, program, redemption };
}

const callMcp = (access: string, headers: Record<string, string> = {}) =>
  SELF.fetch(`${origin}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${access}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });

const refresh = (refresh_token: string, client_id: string) =>
  post(tokenPath, { grant_type: "refresh_token", refresh_token, client_id });

/** Every secret ends early, as if time had passed. */
const expire = (tokenId: string, isRefresh: boolean) =>
  db
    .update(oauthTokens)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(sql`token_id = ${tokenId}::uuid and is_refresh = ${isRefresh}`);

describe("a program of the official SDK without a token", () => {
  it("finds out how to get one, asks the person, and reads", async () => {
    const { account, program, access } = await openConnected();
    expect(program.kept.page?.searchParams.get("code_challenge_method")).toBe("S256");
    expect(program.answers.map(({ path, status }) => `${status} ${path}`)).toEqual(
      expect.arrayContaining([
        "200 /.well-known/oauth-protected-resource/mcp",
        "200 /.well-known/oauth-authorization-server",
        "201 /api/oauth/register",
        "200 /api/oauth/token",
      ]),
    );
    const client = await program.connect();
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(4);

    const [token, ...others] = await account.trpc.tokens.list.query();
    expect(token).toMatchObject({ name: "Notes assistant", scope: "read" });
    expect(others).toEqual([]);
    const days = (Date.parse(token?.expiresAt ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThanOrEqual(90);
    const rows = await Promise.all([
      db.select().from(personalTokens),
      db.select().from(oauthTokens),
      db.select().from(oauthCodes),
    ]);
    const { refresh_token = "" } = program.kept.tokens ?? {};
    for (const secret of [access.slice(12), refresh_token])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("is told where to look, by the 401 that it gets", async () => {
    const program = createOAuthProgram();
    await expect(program.connect()).rejects.toThrow();
    expect(program.kept.page?.pathname).toBe("/api/oauth/authorize");
    expect(program.answers[0]).toEqual({
      path: "/mcp",
      status: 401,
      challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="read"`,
    });
  });

  it("gets a new access token when the first has expired", async () => {
    const { account, program, access, refresh: first } = await openConnected();
    const [token] = await account.trpc.tokens.list.query();
    const client = await program.connect();
    await expire(token?.id ?? "", false);
    expect((await callMcp(access)).status).toBe(401);
    program.answers.length = 0;
    expect((await client.listTools()).tools).toHaveLength(4);
    expect(program.answers).toContainEqual({
      path: "/mcp",
      status: 401,
      challenge: expect.stringContaining('error="invalid_token"'),
    });
    expect(program.kept.tokens?.access_token).not.toBe(access);
    expect(program.kept.tokens?.refresh_token).not.toBe(first);
  });

  it("asks the person again once it was revoked", async () => {
    const { account, program, access } = await openConnected();
    const client = await program.connect();
    const [token] = await account.trpc.tokens.list.query();
    await account.trpc.tokens.revoke.mutate({ id: token?.id ?? "" });
    delete program.kept.page;
    await expect(client.listTools()).rejects.toThrow();
    expect(program.kept.page).toBeDefined();
    expect((await callMcp(access)).status).toBe(401);
    const back = await allow(account, program.kept.page);
    expect(await program.authorize(back)).toBe("AUTHORIZED");
    expect((await client.listTools()).tools).toHaveLength(4);
  });
});

describe("the metadata", () => {
  it("is what the official SDK takes, at each address where it looks first", async () => {
    const { fetchFn } = createOAuthProgram();
    const resource = await discoverOAuthProtectedResourceMetadata(`${origin}/mcp`, {}, fetchFn);
    expect(resource).toMatchObject({
      resource: `${origin}/mcp`,
      authorization_servers: [origin],
      scopes_supported: ["read"],
    });
    expect(await discoverAuthorizationServerMetadata(origin, { fetchFn })).toMatchObject({
      issuer: origin,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ["none"],
    });
  });

  it("is at no other address", async () => {
    for (const path of [
      "/mcp/.well-known/openid-configuration",
      "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server/mcp",
      "/.well-known/oauth-protected-resource/trpc",
    ]) {
      const answer = await SELF.fetch(origin + path);
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        { error: { code: "not_found" } },
      ]);
    }
  });

  it("can be read by pages of other sites, like the endpoints, and without cookies", async () => {
    const ask = (path: string, method: string) =>
      SELF.fetch(origin + path, {
        method: "OPTIONS",
        headers: {
          origin: "https://app.example",
          "access-control-request-method": method,
          "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
        },
      });
    for (const [path, method] of [
      ["/.well-known/oauth-protected-resource/mcp", "GET"],
      ["/.well-known/oauth-authorization-server", "GET"],
      ["/api/oauth/register", "POST"],
      [tokenPath, "POST"],
      ["/api/oauth/revoke", "POST"],
      ["/mcp", "POST"],
    ] as const) {
      const { status, headers } = await ask(path, method);
      expect([path, status]).toEqual([path, 204]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")).toContain(method);
      expect(headers.get("access-control-allow-headers")).toContain("authorization");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
    const refused = await callMcp("dualect_app_unknown", { origin: "https://app.example" });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    for (const path of ["/trpc/folders.list", "/api/health"])
      expect((await ask(path, "GET")).headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a token of OAuth", () => {
  it("is for /mcp alone", async () => {
    const { access } = await openConnected();
    expect((await callMcp(access)).status).toBe(200);
    const authorization = `Bearer ${access}`;
    for (const path of ["/trpc/folders.list", "/api/openapi.json", "/api/health"]) {
      const answer = await SELF.fetch(origin + path, { headers: { authorization } });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  it("works for programs that are no pages, and on pages of its program's site", async () => {
    const { account, access } = await openConnected();
    const { secret } = await openProgram(account.user.id, "read");
    const status = async (token: string, from: string) =>
      (await callMcp(token, { origin: from })).status;
    expect(await status(access, "https://app.example")).toBe(200);
    expect(await status(access, origin)).toBe(200);
    for (const other of ["https://evil.test", "https://app.example:444", "null"])
      expect([other, await status(access, other)]).toEqual([other, 403]);
    expect(await status(secret, "https://app.example")).toBe(403);
  });

  it("is not a refresh token, and a refresh token is not it", async () => {
    const { access, refresh: refreshToken, clientId } = await openConnected();
    expect((await callMcp(refreshToken)).status).toBe(401);
    expect((await callMcp(`dualect_${refreshToken}`)).status).toBe(401);
    expect((await refresh(access, clientId)).body.error).toBe("invalid_grant");
  });

  it("ends with a new password, with codes that wait", async () => {
    const { account, program, access } = await openConnected();
    delete program.kept.tokens;
    await program.authorize();
    const back = await allow(account, program.kept.page);
    await account.trpc.auth.changePassword.mutate({
      currentPassword: account.credentials.password,
      newPassword: "another correct horse",
    });
    expect((await callMcp(access)).status).toBe(401);
    await expect(program.authorize(back)).rejects.toThrow();
  });

  it("is given back by its program", async () => {
    const { account, access, refresh: refreshToken, clientId } = await openConnected();
    const other = await openConnected();
    const revoke = (token: string, client_id: string) =>
      post("/api/oauth/revoke", { token, client_id });
    expect((await revoke(access, other.clientId.replace(/.$/, "x"))).status).toBe(200);
    expect((await callMcp(access)).status).toBe(200);
    expect((await revoke("unknown", clientId)).status).toBe(200);
    expect((await revoke(refreshToken, clientId)).status).toBe(200);
    expect((await callMcp(access)).status).toBe(401);
    expect(await account.trpc.tokens.list.query()).toEqual([]);
    expect((await callMcp(other.access)).status).toBe(200);
  });
});

describe("a refresh token", () => {
  it("is used once; a call whose answer was lost may be repeated for 30 s", async () => {
    const { account, access, refresh: first, clientId } = await openConnected();
    const lost = await refresh(first, clientId);
    const again = await refresh(first, clientId);
    expect([lost.status, again.status]).toEqual([200, 200]);
    expect((await callMcp(again.body.access_token)).status).toBe(200);
    const next = await refresh(again.body.refresh_token, clientId);
    expect(next.status).toBe(200);
    // Whoever has the first one now is not the program, or the program is not alone.
    const stolen = await refresh(first, clientId);
    expect([stolen.status, stolen.body.error]).toEqual([400, "invalid_grant"]);
    for (const token of [access, next.body.access_token])
      expect((await callMcp(token)).status).toBe(401);
    expect(await account.trpc.tokens.list.query()).toEqual([]);
  });

  it("that comes again later ends the program's access", async () => {
    const { access, refresh: first, clientId } = await openConnected();
    await refresh(first, clientId);
    await db
      .update(oauthTokens)
      .set({ usedAt: new Date(Date.now() - 31_000) })
      .where(eq(oauthTokens.tokenHash, sha256(first)));
    expect((await refresh(first, clientId)).body.error).toBe("invalid_grant");
    expect((await callMcp(access)).status).toBe(401);
  });

  it("is of no use to another program", async () => {
    const { access, refresh: first, clientId } = await openConnected();
    const other = await post(tokenPath, {
      grant_type: "refresh_token",
      refresh_token: first,
      client_id: `${clientId}x`,
    });
    expect(other.body.error).toBe("invalid_grant");
    expect((await callMcp(access)).status).toBe(200);
    expect((await refresh(first, clientId)).status).toBe(200);
  });

  it("ends when nobody has used it for 90 days", async () => {
    const { account, refresh: first, clientId } = await openConnected();
    const [token] = await account.trpc.tokens.list.query();
    await expire(token?.id ?? "", true);
    expect((await refresh(first, clientId)).body.error).toBe("invalid_grant");
  });

  it("does not go on for more than a year", async () => {
    const { account, refresh: first, clientId } = await openConnected();
    const [token] = await account.trpc.tokens.list.query();
    const createdAt = new Date(Date.now() - 364 * 86_400_000);
    await db
      .update(personalTokens)
      .set({ createdAt })
      .where(eq(personalTokens.id, token?.id ?? ""));
    expect((await refresh(first, clientId)).status).toBe(200);
    const [extended] = await account.trpc.tokens.list.query();
    const days = (Date.parse(extended?.expiresAt ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeLessThanOrEqual(1);
    expect(days).toBeGreaterThan(0.9);
  });
});

describe("a code", () => {
  it("that comes again ends what it gave", async () => {
    const { account, redemption } = await openAllowed();
    const first = await post(tokenPath, redemption);
    expect(first.status).toBe(200);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect((await callMcp(first.body.access_token)).status).toBe(200);
    const replay = await post(tokenPath, redemption);
    expect([replay.status, replay.body.error]).toEqual([400, "invalid_grant"]);
    expect((await callMcp(first.body.access_token)).status).toBe(401);
    expect((await refresh(first.body.refresh_token, redemption.client_id)).status).toBe(400);
    expect(await account.trpc.tokens.list.query()).toEqual([]);
  });

  it("works once where two calls come together", async () => {
    const { redemption } = await openAllowed();
    const answers = await Promise.all([1, 2, 3].map(() => post(tokenPath, redemption)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    [
      "the challenge in place of the verifier",
      { code_verifier: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" },
    ],
    ["another program", { client_id: "another" }],
    ["another address", { redirect_uri: "https://app.example/callback2" }],
    ["an address of an attacker", { redirect_uri: "https://evil.test/" }],
    ["no address", { redirect_uri: "x" }],
  ])("is of no use with %s, and still is to whom it was given", async (_, changes) => {
    const { redemption } = await openAllowed();
    const refused = await post(tokenPath, { ...redemption, ...changes });
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    expect((await post(tokenPath, redemption)).status).toBe(200);
  });

  it.each([
    ["invalid_request", { code_verifier: "" }],
    ["invalid_request", { client_id: "" }],
    ["invalid_request", { redirect_uri: "" }],
    ["invalid_request", { grant_type: "" }],
    ["unsupported_grant_type", { grant_type: "password" }],
    ["unsupported_grant_type", { grant_type: "client_credentials" }],
    ["invalid_target", { resource: "https://other.example/mcp" }],
    ["invalid_grant", { code: "guess" }],
    ["invalid_grant", { code: "x".repeat(10_000) }],
  ])("is answered %s with %j", async (error, changes) => {
    const { redemption } = await openAllowed();
    const { status, body } = await post(tokenPath, { ...redemption, ...changes });
    expect([status, body.error]).toEqual([400, error]);
  });

  it("is for one minute", async () => {
    const { redemption } = await openAllowed();
    const codeHash = sha256(redemption.code);
    const [code] = await db.select().from(oauthCodes).where(eq(oauthCodes.codeHash, codeHash));
    const seconds = ((code?.expiresAt.getTime() ?? 0) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    const expiresAt = new Date(Date.now() - 1);
    await db.update(oauthCodes).set({ expiresAt }).where(eq(oauthCodes.codeHash, codeHash));
    expect((await post(tokenPath, redemption)).body.error).toBe("invalid_grant");
  });

  it("injected into another program's answer is of no use there", async () => {
    const victim = await openAllowed();
    const attacker = createOAuthProgram("Attacker");
    await attacker.authorize();
    const injected = new URL(`${callback}?code=${victim.redemption.code}&iss=${origin}`);
    await expect(attacker.authorize(injected)).rejects.toThrow();
    expect((await post(tokenPath, victim.redemption)).status).toBe(200);
  });

  it("of another server is noticed by a program that compares `iss`", async () => {
    const { program, account } = { program: createOAuthProgram(), account: await openSignedIn() };
    await program.authorize();
    const back = await allow(account, program.kept.page);
    expect(back.searchParams.get("state")).toBe("state of the program");
    back.searchParams.set("iss", "https://evil.test");
    await expect(program.authorize(back)).rejects.toThrow(/issuer/i);
  });
});

describe("the page that asks", () => {
  const change = (page: URL | undefined, name: string, value: string) => {
    const changed = new URL(page ?? "");
    changed.searchParams.set(name, value);
    return changed;
  };

  it("is opened with the request, or with what is wrong, and never leads to the program", async () => {
    const program = createOAuthProgram();
    await program.authorize();
    const { page } = program.kept;
    for (const [name, value, problem] of [
      ["redirect_uri", "https://evil.test/", "redirect"],
      ["client_id", "unknown", "client"],
      ["code_challenge_method", "plain", "request"],
      ["response_type", "token", "request"],
      ["scope", "read", null],
      ["resource", "https://evil.test/mcp", "resource"],
    ] as const) {
      const opened = await openConsent(change(page, name, value));
      expect([name, opened.get("problem")]).toEqual([name, problem]);
      expect([name, opened.has("request")]).toEqual([name, problem === null]);
    }
  });

  it("shows who asks and where the answer leads, as they were registered", async () => {
    const account = await openSignedIn();
    const program = createOAuthProgram("Notes\u202e assistant");
    await program.authorize();
    const request = (await openConsent(program.kept.page ?? new URL(origin))).get("request") ?? "";
    const shown = await account.trpc.connections.describe.query({ request });
    expect(shown).toEqual({
      name: "Notes assistant",
      host: "app.example",
      refusal: `${callback}?error=access_denied&state=state+of+the+program&iss=https%3A%2F%2Fdualect.test`,
    });
    const forged = request.replace(/^./, "x");
    const refused = account.trpc.connections.allow.mutate({ request: forged });
    expect(await getErrorCode(refused)).toBe("token_expired");
  });

  it("is answered by its user alone: not by another site, a guest or a program", async () => {
    const { browser, user } = await openSignedIn();
    const program = createOAuthProgram();
    await program.authorize();
    const request = (await openConsent(program.kept.page ?? new URL(origin))).get("request") ?? "";
    const body = JSON.stringify({ request });
    const send = (headers: Record<string, string>) =>
      SELF.fetch(`${origin}/trpc/connections.allow`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", cookie: browser.cookie ?? "", ...headers },
      });
    expect((await send({ origin: "https://evil.test" })).status).toBe(403);
    expect((await send({ origin, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({})).status).toBe(403);
    const form = { origin, "content-type": "application/x-www-form-urlencoded" };
    expect((await send(form)).status).toBe(415);
    const guest = openBrowser();
    expect(await getErrorCode(guest.trpc.connections.allow.mutate({ request }))).toBe(
      "unauthenticated",
    );
    const script = await openProgram(user.id);
    expect(await getErrorCode(script.trpc.connections.allow.mutate({ request }))).toBe(
      "sign_in_required",
    );
    expect(await db.$count(oauthCodes, eq(oauthCodes.userId, user.id))).toBe(0);
  });

  it("lets no more programs in than there can be", async () => {
    const account = await openSignedIn();
    for (let n = 0; n < personalTokensMax - 1; n++) await openProgram(account.user.id, "read");
    const program = createOAuthProgram();
    await program.authorize();
    await allow(account, program.kept.page);
    expect(await getErrorCode(allow(account, program.kept.page))).toBe("conflict");
  });
});

describe("registrations", () => {
  const register = (body: string, address: string) =>
    SELF.fetch(`${origin}/api/oauth/register`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", "cf-connecting-ip": address },
    });
  const body = JSON.stringify({ redirect_uris: [callback] });

  it("by the thousand ask the database nothing, and are limited by address", async () => {
    const mark = createMark();
    const marked = JSON.stringify({ redirect_uris: [callback], client_name: mark });
    let queries = 0;
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      if (String(init?.body).includes(mark)) queries += 1;
      return fetch(input, init);
    };
    let [made, limited] = [0, 0];
    try {
      for (let round = 0; round < 20; round++) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => register(marked, "203.0.113.9")),
        );
        for (const { status } of answers) {
          if (status === 201) made += 1;
          if (status === 429) limited += 1;
        }
      }
    } finally {
      globalThis.fetch = fetch;
    }
    expect({ queries, answered: made + limited }).toEqual({ queries: 0, answered: 1_000 });
    // Of at most two minutes.
    expect(made).toBeLessThanOrEqual(240);
    await useUp(getServices(env).limits.oauth, "/api/oauth/register:address:203.0.113.9");
    expect((await register(body, "203.0.113.9")).headers.get("retry-after")).toBe("60");
    expect((await register(body, "203.0.113.10")).status).toBe(201);
  });

  it("are answered with what is wrong with them", async () => {
    for (const [text, error] of [
      ["{", "invalid_client_metadata"],
      ["{}", "invalid_client_metadata"],
      ['{"redirect_uris":["http://evil.test/"]}', "invalid_redirect_uri"],
    ] as const) {
      const answer = await register(text, "203.0.113.11");
      expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
    }
    expect((await register(" ".repeat(20_000), "203.0.113.11")).status).toBe(413);
  });
});
