import * as z from "zod/mini";
import { readSignedPayload, signPayload } from "#server/signed-payload.ts";
import { programNameMaxLength } from "#shared/limits.ts";
import { OAuthError } from "./errors.ts";

/** A program as it has registered: its id holds all of it, signed, so that nothing is stored. */
export interface OAuthClient {
  name: string;
  redirectUris: readonly string[];
}

/** How long a program may ask people with one registration. Tokens outlive it. */
export const registrationLifetimeMs = 365 * 86_400_000;
const redirectUrisMax = 5;
const redirectUriMaxLength = 300;
/** Of a client id: five addresses, their names and the signature. */
const clientIdMaxLength = 2_600;

const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** What a program sends to register (RFC 7591). What is not here does not matter. */
const registration = z.object({
  redirect_uris: z.array(z.string()).check(z.minLength(1), z.maxLength(redirectUrisMax)),
  client_name: z.optional(z.string()),
  grant_types: z.optional(z.array(z.string())),
  response_types: z.optional(z.array(z.string())),
});

const toKey = (secret: string) => `oauth-client ${secret}`;

const payloadSchema = z.object({
  name: z.string(),
  redirectUris: z.array(z.string()),
  /** Milliseconds since the epoch. */
  issuedAt: z.int(),
});

/** Whether a program may have itself called back there: over https, or on the person's own machine. */
export function isRedirectUri(uri: string): boolean {
  // A fragment that is empty is one too, and no parser tells of it.
  if (uri.length > redirectUriMaxLength || uri.includes("#") || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && loopbackHosts.has(hostname));
}

/** Whether the address is of a program on the person's own machine. */
export const isLoopback = (uri: string): boolean => loopbackHosts.has(new URL(uri).hostname);

/**
 * Whether `uri` is one that the client has registered, letter by letter. On the person's own machine, the port may be
 * another one, because programs take one that is free (RFC 8252, section 7.3).
 */
export function hasRedirectUri({ redirectUris }: OAuthClient, uri: string): boolean {
  if (redirectUris.includes(uri)) return true;
  if (!isRedirectUri(uri) || !isLoopback(uri) || new URL(uri).protocol !== "http:") return false;
  return redirectUris.some(
    (known) => isLoopback(known) && leaveOutPort(known) === leaveOutPort(uri),
  );
}

function leaveOutPort(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/** A name that shows what it is: one line, without characters that have no width or turn the direction. */
function cleanName(name: string): string {
  const text = name.normalize("NFC").replaceAll(/[\p{C}\p{Z}]+/gu, " ");
  return Array.from(text.trim()).slice(0, programNameMaxLength).join("").trim();
}

/**
 * Registers a program, and returns what it is answered. The same registration has the same id for a day.
 *
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`
 */
export function registerClient(secret: string, body: unknown, now: Date) {
  const { success, data } = registration.safeParse(body);
  if (!success)
    throw new OAuthError(
      "invalid_client_metadata",
      `redirect_uris needs one to ${redirectUrisMax} addresses`,
    );
  const { redirect_uris: redirectUris, grant_types: grants, response_types: responses } = data;
  if (!redirectUris.every(isRedirectUri))
    throw new OAuthError(
      "invalid_redirect_uri",
      "Redirect addresses begin with https://, or with http:// on the person's own machine",
    );
  if (grants?.includes("authorization_code") === false || responses?.includes("code") === false)
    throw new OAuthError("invalid_client_metadata", "Only authorization codes are given");
  const issuedAt = Math.floor(now.getTime() / 86_400_000) * 86_400_000;
  const first = redirectUris[0] ?? "";
  const name = cleanName(data.client_name ?? "") || cleanName(new URL(first).host);
  const payload: z.infer<typeof payloadSchema> = { name, redirectUris, issuedAt };
  const clientId = signPayload(toKey(secret), payload);
  if (clientId.length > clientIdMaxLength)
    throw new OAuthError("invalid_client_metadata", "The redirect addresses are too long");
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(issuedAt / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "read",
  };
}

/** The client of an id; null for one that was never given, or so long ago that it asks nobody any more. */
export function readClient(secret: string, clientId: string, now: Date): OAuthClient | null {
  const payload = payloadSchema.safeParse(
    readSignedPayload(toKey(secret), clientId, clientIdMaxLength),
  );
  if (!payload.success) return null;
  const { name, redirectUris, issuedAt } = payload.data;
  return issuedAt + registrationLifetimeMs > now.getTime() ? { name, redirectUris } : null;
}
