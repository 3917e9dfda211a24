import { describe, expect, it } from "vitest";
import {
  hasRedirectUri,
  isRedirectUri,
  readClient,
  registerClient,
  registrationLifetimeMs,
} from "#server/oauth/clients.ts";
import { signGuestTicket } from "#server/recording/guest-ticket.ts";
import { programNameMaxLength } from "#shared/limits.ts";

const secret = "a secret of tests";
const now = new Date("2026-12-01T10:00:00Z");
const callback = "https://app.example/callback";

const register = (metadata: unknown) => registerClient(secret, metadata, now);

describe("a redirect address", () => {
  it.each([
    callback,
    "https://app.example:8443/a/b?c=d",
    "http://127.0.0.1:3000/callback",
    "http://127.0.0.1/",
    "http://[::1]:9/x",
    "http://localhost:6274/oauth/callback",
  ])("may be %s", (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    "http://app.example/callback",
    "http://127.0.0.1.evil.example/",
    "http://localhost.evil.example/",
    "http://evil.example:80@127.0.0.1/",
    "https://user@app.example/",
    "https://app.example/#fragment",
    "https://app.example/#",
    "javascript:alert(1)",
    "data:text/html,x",
    "//app.example/",
    "/callback",
    "myapp://callback",
    "",
    `https://app.example/${"x".repeat(300)}`,
  ])("may not be %s", (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
    expect(() => register({ redirect_uris: [uri] })).toThrow(/address/i);
  });

  it.each([
    [callback, callback, true],
    [callback, `${callback}/`, false],
    [callback, `${callback}?x=1`, false],
    [callback, "https://app.example/Callback", false],
    [callback, "https://APP.example/callback", false],
    [callback, "https://app.example:444/callback", false],
    [callback, "https://app.example/callback/../other", false],
    [callback, "https://app.example.evil.example/callback", false],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb", true],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/other", false],
    ["http://127.0.0.1:1/cb", "http://localhost:1/cb", false],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2@evil.example/cb", false],
    ["https://localhost:1/cb", "http://localhost:1/cb", false],
    ["http://localhost:1/cb", "https://localhost:2/cb", false],
  ])("that is registered as %s is asked for as %s: %s", (known, asked, isAllowed) => {
    expect(hasRedirectUri({ name: "x", redirectUris: [known] }, asked)).toBe(isAllowed);
  });
});

describe("a registration", () => {
  it("is read from its id, which nobody can change", () => {
    const { client_id, ...answer } = register({
      client_name: "Notes",
      redirect_uris: [callback],
      token_endpoint_auth_method: "client_secret_post",
      logo_uri: "https://app.example/logo.png",
    });
    expect(answer).toMatchObject({
      client_name: "Notes",
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect(readClient(secret, client_id, now)).toEqual({ name: "Notes", redirectUris: [callback] });
    const [body = "", signature] = client_id.split(".");
    const forged = Buffer.from(
      Buffer.from(body, "base64url").toString().replace("app.example", "evil.test"),
    ).toString("base64url");
    for (const id of [`${forged}.${signature}`, body, `${client_id}x`, "", "1"])
      expect(readClient(secret, id, now)).toBeNull();
    expect(readClient("another secret", client_id, now)).toBeNull();
  });

  it("is not what is signed for other purposes", () => {
    const expiresAt = new Date(now.getTime() + 1_000);
    const ticket = signGuestTicket(secret, { recordingId: crypto.randomUUID(), expiresAt });
    expect(readClient(secret, ticket, now)).toBeNull();
  });

  it("asks nobody any more after a year", () => {
    const { client_id, client_id_issued_at } = register({ redirect_uris: [callback] });
    const end = client_id_issued_at * 1_000 + registrationLifetimeMs;
    expect(readClient(secret, client_id, new Date(end - 1))).not.toBeNull();
    expect(readClient(secret, client_id, new Date(end))).toBeNull();
  });

  it.each([
    ["Notes\u202egnp.exe", "Notes gnp.exe"],
    ["  A\n\tB\u0000  ", "A B"],
    ["\u200b\u200b", "app.example"],
    [undefined, "app.example"],
    ["", "app.example"],
    ["课".repeat(200), "课".repeat(programNameMaxLength)],
  ])("has a name that can be shown: %j", (client_name, name) => {
    const { client_id } = register({ client_name, redirect_uris: [callback] });
    expect(readClient(secret, client_id, now)?.name).toBe(name);
  });

  it.each([
    null,
    "text",
    [],
    {},
    { redirect_uris: [] },
    { redirect_uris: "https://app.example/" },
    { redirect_uris: Array(6).fill(callback) },
    { redirect_uris: [callback], client_name: 7 },
    { redirect_uris: [callback], grant_types: ["client_credentials"] },
    { redirect_uris: [callback], response_types: ["token"] },
  ])("is refused: %j", (metadata) => {
    expect(() => register(metadata)).toThrow(
      expect.objectContaining({ name: "OAuthError", code: "invalid_client_metadata" }),
    );
  });

  it("has room for five long addresses and a long name", () => {
    const redirect_uris = Array.from({ length: 5 }, (_, n) =>
      `https://app.example/${n}`.padEnd(300, "x"),
    );
    const client_name = "课".repeat(programNameMaxLength);
    const { client_id } = register({ redirect_uris, client_name });
    expect(readClient(secret, client_id, now)?.redirectUris).toEqual(redirect_uris);
  });
});
