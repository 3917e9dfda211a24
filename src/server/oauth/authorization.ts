import * as z from "zod/mini";
import { sha256 } from "#server/auth/secrets.ts";
import { readSignedPayload, signPayload } from "#server/signed-payload.ts";
import {
  type ConsentRequest,
  consentRequestMaxLength,
  type RequestProblem,
} from "#shared/oauth.ts";
import { hasRedirectUri, isLoopback, readClient } from "./clients.ts";
import { getResource } from "./metadata.ts";

/** For the sign-in, which may begin with an account and the mail that confirms it. */
const requestLifetimeMs = 3_600_000;
/** A SHA-256 in base64url (RFC 7636). */
const challengeFormat = /^[\w-]{43}$/;

const toKey = (secret: string) => `oauth-consent ${secret}`;

const payloadSchema = z.object({
  /** SHA-256 of the client's id. */
  clientHash: z.string(),
  name: z.string(),
  redirectUri: z.string(),
  state: z.nullable(z.string()),
  challenge: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.int(),
});

/** A program's request, as it was checked. */
export type CheckedRequest = Omit<z.infer<typeof payloadSchema>, "expiresAt">;

/** What a parameter says; undefined: it is not there. More than one of a name is an error (RFC 6749, section 3.1). */
function readParameters(query: URLSearchParams): Map<string, string> | null {
  const parameters = new Map<string, string>();
  for (const [name, value] of query) {
    if (parameters.has(name)) return null;
    // One without a value counts as left out.
    if (value !== "") parameters.set(name, value);
  }
  return parameters;
}

/**
 * Checks what a program asks for (RFC 6749, section 4.1.1), and signs it for the page that asks the person: the page
 * shows and answers nothing that was not checked.
 */
export function checkRequest(
  query: URLSearchParams,
  { secret, origin, now }: { secret: string; origin: string; now: Date },
): { request: string } | { problem: RequestProblem } {
  const parameters = readParameters(query);
  if (parameters === null) return { problem: "request" };
  const clientId = parameters.get("client_id") ?? "";
  const client = readClient(secret, clientId, now);
  if (client === null) return { problem: "client" };
  const redirectUri = parameters.get("redirect_uri") ?? "";
  if (!hasRedirectUri(client, redirectUri)) return { problem: "redirect" };
  const challenge = parameters.get("code_challenge") ?? "";
  const isAnswerable =
    parameters.get("response_type") === "code" &&
    (parameters.get("response_mode") ?? "query") === "query" &&
    parameters.get("code_challenge_method") === "S256" &&
    challengeFormat.test(challenge);
  if (!isAnswerable) return { problem: "request" };
  if (!isResource(parameters.get("resource"), origin)) return { problem: "resource" };
  const request = signPayload(toKey(secret), {
    clientHash: sha256(clientId),
    name: client.name,
    redirectUri,
    state: parameters.get("state") ?? null,
    challenge,
    expiresAt: now.getTime() + requestLifetimeMs,
  } satisfies z.infer<typeof payloadSchema>);
  return request.length > consentRequestMaxLength ? { problem: "request" } : { request };
}

/** Whether the resource that a program names is ours; earlier clients name none (RFC 8707). */
export function isResource(resource: string | undefined, origin: string): boolean {
  if (resource === undefined) return true;
  if (!URL.canParse(resource)) return false;
  const { href } = new URL(resource);
  return href === getResource(origin) || href === `${origin}/`;
}

/** Null for a request that was not checked here, or is too old. */
export function readRequest(secret: string, signed: string, now: Date): CheckedRequest | null {
  const payload = payloadSchema.safeParse(
    readSignedPayload(toKey(secret), signed, consentRequestMaxLength),
  );
  if (!payload.success || payload.data.expiresAt <= now.getTime()) return null;
  const { expiresAt: _, ...request } = payload.data;
  return request;
}

/** What the page shows of it. */
export const describeRequest = (request: CheckedRequest, origin: string): ConsentRequest => ({
  name: request.name,
  host: isLoopback(request.redirectUri) ? null : new URL(request.redirectUri).host,
  refusal: createAnswer(request, origin, { error: "access_denied" }),
});

/** The address that leads back to the program; `iss` says who answers (RFC 9207). */
export function createAnswer(
  { redirectUri, state }: Pick<CheckedRequest, "redirectUri" | "state">,
  origin: string,
  answer: { code: string } | { error: "access_denied" },
): string {
  const url = new URL(redirectUri);
  const parameters = { ...answer, ...(state !== null && { state }), iss: origin };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url.href;
}
