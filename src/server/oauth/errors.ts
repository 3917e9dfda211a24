/** Errors of RFC 6749, 7009, 7591 and 8707 that are answered as JSON. */
type OAuthErrorCode =
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_target"
  | "unsupported_grant_type";

/** An answer to a program: the description is for its programmer, and holds nothing of anybody. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";

  constructor(
    readonly code: OAuthErrorCode,
    description: string,
  ) {
    super(description);
  }
}
