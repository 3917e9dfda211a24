import { createHash } from "node:crypto";
import { sha256 } from "#server/auth/secrets.ts";
import type { Database } from "#server/database.ts";
import { isResource } from "./authorization.ts";
import { OAuthError } from "./errors.ts";
import { accessLifetimeMs, redeemCode, refreshTokens, revokeTokens } from "./grants.ts";
import { grantedScope } from "./metadata.ts";

interface Call {
  db: Database;
  parameters: URLSearchParams;
  now: Date;
}

const secretMaxLength = 200;
const verifierFormat = /^[\w.~-]{43,128}$/;

/** RFC 7636: of a verifier, what its request has said; null for what is none. */
export const toChallenge = (verifier: string): string | null =>
  verifierFormat.test(verifier) ? createHash("sha256").update(verifier).digest("base64url") : null;

/** @throws OAuthError `invalid_request` if a parameter is missing, or there twice (RFC 6749, section 3.2) */
function readParameter(parameters: URLSearchParams, name: string): string {
  const [value = "", ...others] = parameters.getAll(name);
  if (value === "" || others.length > 0)
    throw new OAuthError("invalid_request", `${name} is needed, once`);
  return value;
}

/** A client's id is as good as its hash: all clients are public, and a code or a token says which client it is for. */
const readClientHash = (parameters: URLSearchParams): string =>
  sha256(readParameter(parameters, "client_id"));

function readSecret(parameters: URLSearchParams, name: string): string {
  const secret = readParameter(parameters, name);
  if (secret.length > secretMaxLength) throw refuseGrant();
  return secret;
}

const refuseGrant = () =>
  new OAuthError(
    "invalid_grant",
    "The code or token is unknown, used or expired, or was given for another program",
  );

/**
 * Answers a call of the token endpoint (RFC 6749, sections 4.1.3 and 6).
 *
 * @returns the answer, and the id of the token if it is new
 * @throws OAuthError
 */
export async function answerTokenCall({ db, parameters, now }: Call, origin: string) {
  const grantType = readParameter(parameters, "grant_type");
  const clientHash = readClientHash(parameters);
  if (!isResource(parameters.get("resource") ?? undefined, origin))
    throw new OAuthError("invalid_target", "Tokens are given for this site's /mcp alone");
  if (grantType === "authorization_code") {
    const code = readSecret(parameters, "code");
    const redirectUri = readParameter(parameters, "redirect_uri");
    const challenge = toChallenge(readParameter(parameters, "code_verifier"));
    const redeemed =
      challenge === null || !URL.canParse(redirectUri)
        ? null
        : await redeemCode(db, { code, clientHash, redirectUri, challenge, now });
    if (redeemed === null) throw refuseGrant();
    return { answer: toAnswer(redeemed.tokens), newTokenId: redeemed.tokenId };
  }
  if (grantType === "refresh_token") {
    const refresh = readSecret(parameters, "refresh_token");
    const tokens = await refreshTokens(db, { refresh, clientHash, now });
    if (tokens === null) throw refuseGrant();
    return { answer: toAnswer(tokens), newTokenId: null };
  }
  throw new OAuthError("unsupported_grant_type", "authorization_code or refresh_token");
}

const toAnswer = ({ access, refresh }: { access: string; refresh: string }) => ({
  access_token: access,
  token_type: "Bearer",
  expires_in: accessLifetimeMs / 1_000,
  refresh_token: refresh,
  scope: grantedScope,
});

/** Answers a call of the revocation endpoint (RFC 7009): the same, whether there was such a token. */
export async function answerRevocation({ db, parameters }: Omit<Call, "now">): Promise<void> {
  const clientHash = readClientHash(parameters);
  await revokeTokens(db, { token: readParameter(parameters, "token"), clientHash });
}
