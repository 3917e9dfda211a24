import { registrationPath, resourcePath, revocationPath, tokenPath } from "#shared/oauth.ts";

/** What a program that came through OAuth may do: assistants only read. */
export const grantedScope = "read";

/** The one resource that tokens are given for. */
export const getResource = (origin: string): string => origin + resourcePath;

/** RFC 9728: who gives tokens for `/mcp`. */
export const describeResource = (origin: string) => ({
  resource: getResource(origin),
  authorization_servers: [origin],
  scopes_supported: [grantedScope],
  bearer_methods_supported: ["header"],
  resource_name: "Dualect",
});

/** RFC 8414: how a program gets one. */
export const describeServer = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/api/oauth/authorize`,
  token_endpoint: origin + tokenPath,
  registration_endpoint: origin + registrationPath,
  revocation_endpoint: origin + revocationPath,
  scopes_supported: [grantedScope],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

/**
 * The `WWW-Authenticate` of `/mcp` (RFC 6750, section 3; RFC 9728, section 5.1).
 *
 * @param hasToken the request had a token, which is not valid
 */
export function describeChallenge(origin: string, hasToken: boolean): string {
  const parameters = {
    ...(hasToken && {
      error: "invalid_token",
      error_description: "The token has expired or was revoked",
    }),
    resource_metadata: `${origin}/.well-known/oauth-protected-resource${resourcePath}`,
    scope: grantedScope,
  };
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${pairs.join(", ")}`;
}
