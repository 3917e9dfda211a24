import { describe, expect, it } from "vitest";
import {
  checkRequest,
  createAnswer,
  describeRequest,
  isResource,
  readRequest,
} from "#server/oauth/authorization.ts";
import { registerClient } from "#server/oauth/clients.ts";
import { toChallenge } from "#server/oauth/token-calls.ts";

const secret = "a secret of tests";
const origin = "https://dualect.test";
const now = new Date("2026-12-01T10:00:00Z");
const redirect_uri = "https://app.example/callback";
// The example of RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const { client_id } = registerClient(
  secret,
  { client_name: "Notes", redirect_uris: [redirect_uri, "http://localhost/cb"] },
  now,
);

const valid: Record<string, string> = {
  response_type: "code",
  client_id,
  redirect_uri,
  code_challenge,
  code_challenge_method: "S256",
  state: "xyz",
  resource: `${origin}/mcp`,
};

const check = (changes: Record<string, string | undefined> = {}, extra = "") => {
  const pairs = Object.entries({ ...valid, ...changes }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const query = new URLSearchParams(`${new URLSearchParams(pairs)}${extra}`);
  return checkRequest(query, { secret, origin, now });
};

const read = (checked: ReturnType<typeof check>, at = now) => {
  if (!("request" in checked)) throw new Error(checked.problem);
  return readRequest(secret, checked.request, at);
};

describe("a program's request", () => {
  it("is signed with what the person is shown", () => {
    const request = read(check({ scope: "read write" }));
    expect(request).toMatchObject({
      name: "Notes",
      redirectUri: redirect_uri,
      state: "xyz",
      challenge: code_challenge,
    });
    if (!request) throw new Error("no request");
    expect(describeRequest(request, origin)).toEqual({
      name: "Notes",
      host: "app.example",
      refusal: `${redirect_uri}?error=access_denied&state=xyz&iss=https%3A%2F%2Fdualect.test`,
    });
  });

  it("of a program on this machine says so, and answers at the port that it has now", () => {
    const request = read(check({ redirect_uri: "http://localhost:51234/cb", state: undefined }));
    if (!request) throw new Error("no request");
    const { host } = describeRequest(request, origin);
    expect(host).toBeNull();
    expect(createAnswer(request, origin, { code: "c" })).toBe(
      "http://localhost:51234/cb?code=c&iss=https%3A%2F%2Fdualect.test",
    );
  });

  it.each([
    ["client", { client_id: undefined }],
    ["client", { client_id: "https://app.example/client.json" }],
    ["client", { client_id: `${client_id}x` }],
    ["redirect", { redirect_uri: undefined }],
    ["redirect", { redirect_uri: "https://evil.test/callback" }],
    ["redirect", { redirect_uri: `${redirect_uri}/` }],
    ["request", { response_type: undefined }],
    ["request", { response_type: "token" }],
    ["request", { response_mode: "fragment" }],
    ["request", { code_challenge: undefined }],
    ["request", { code_challenge: "short" }],
    ["request", { code_challenge_method: undefined }],
    ["request", { code_challenge_method: "plain" }],
    ["request", { state: "x".repeat(7_000) }],
    ["resource", { resource: "https://other.example/mcp" }],
    ["resource", { resource: `${origin}/trpc` }],
    ["resource", { resource: "mcp" }],
  ] as const)("is not shown for its %s: %j", (problem, changes) => {
    expect(check(changes)).toEqual({ problem });
  });

  it("names no parameter twice", () => {
    expect(check({}, "&redirect_uri=https://evil.test/")).toEqual({ problem: "request" });
    expect(check({}, "&client_id=1")).toEqual({ problem: "request" });
  });

  it("has a state of any kind, which comes back as it was", () => {
    for (const state of ["1e3", '"x"', "a b+c&d=e#f", "状态", "null"]) {
      const request = read(check({ state }));
      if (!request) throw new Error("no request");
      const answer = new URL(createAnswer(request, origin, { code: "c" }));
      expect(answer.searchParams.get("state")).toBe(state);
    }
  });

  it("keeps the query of a redirect address", () => {
    const answer = createAnswer(
      { redirectUri: "https://app.example/cb?tenant=7", state: null },
      origin,
      { code: "c" },
    );
    expect(answer).toBe("https://app.example/cb?tenant=7&code=c&iss=https%3A%2F%2Fdualect.test");
  });

  it("can be answered for an hour, as it was signed here alone", () => {
    const checked = check();
    const inMs = (ms: number) => new Date(now.getTime() + ms);
    expect(read(checked, inMs(3_599_999))).not.toBeNull();
    expect(read(checked, inMs(3_600_000))).toBeNull();
    if (!("request" in checked)) throw new Error("no request");
    expect(readRequest("another secret", checked.request, now)).toBeNull();
    expect(readRequest(secret, client_id, now)).toBeNull();
    expect(readRequest(secret, "", now)).toBeNull();
  });
});

it.each([
  [undefined, true],
  [`${origin}/mcp`, true],
  ["HTTPS://DUALECT.test/mcp", true],
  [origin, true],
  [`${origin}/mcp/`, false],
  [`${origin}/mcp#x`, false],
  ["https://dualect.test.evil.example/mcp", false],
  ["", false],
])("takes the resource %s: %s", (resource, isOurs) => {
  expect(isResource(resource, origin)).toBe(isOurs);
});

it("makes of a verifier the challenge of RFC 7636, and of nothing else", () => {
  expect(toChallenge(verifier)).toBe(code_challenge);
  for (const other of [
    "",
    "short",
    "x".repeat(42),
    "x".repeat(129),
    `${verifier} `,
    "课".repeat(50),
  ])
    expect(toChallenge(other)).toBeNull();
});
