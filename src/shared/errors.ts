/**
 * All error codes of HTTP answers, tRPC errors and relay messages, with their HTTP status. The page displays the
 * message `error.<code>`. Internal detail is logged and never sent.
 */
const errorCatalogue = {
  validation_failed: { status: 400 },
  /** A link or credential that was used, replaced or never issued. */
  token_invalid: { status: 400 },
  /** A link or credential whose lifetime has ended. */
  token_expired: { status: 400 },
  current_password_invalid: { status: 400 },
  /** The speech service does not hear the language, or does not tell the two apart. */
  language_not_recognized: { status: 400 },
  unauthenticated: { status: 401 },
  credentials_invalid: { status: 401 },
  sign_in_required: { status: 401 },
  guest_ticket_invalid: { status: 401 },
  allowance_exhausted: { status: 402 },
  /** The daily allowance of a guest's ticket or address is used up. */
  guest_allowance_exhausted: { status: 402 },
  /** A card was refused, or an earlier payment is owed. */
  payment_failed: { status: 402 },
  origin_refused: { status: 403 },
  /** The program's token may only read. */
  scope_required: { status: 403 },
  /** A sensitive call needs the password, because the session is older than ten minutes. */
  reauthentication_required: { status: 403 },
  /** The site uses challenges, and the call has no token. */
  challenge_required: { status: 403 },
  /** The token was used, has expired or belongs to another site or action. */
  challenge_failed: { status: 403 },
  /** Accounts are for invited addresses alone. */
  invitation_required: { status: 403 },
  /** The address got a link with which its owner can create the account. */
  invitation_sent: { status: 403 },
  /** Accounts are for addresses of the organisation alone. */
  domain_required: { status: 403 },
  /** Accounts are for who is signed on at the organisation, with that address. */
  sign_on_required: { status: 403 },
  sign_on_other_address: { status: 403 },
  /** The site has no speech service, or no language model. */
  speech_not_offered: { status: 403 },
  model_not_offered: { status: 403 },
  not_found: { status: 404 },
  email_in_use: { status: 409 },
  entries_gap: { status: 409 },
  conflict: { status: 409 },
  /** The user has the maximum number of folders. */
  folders_full: { status: 409 },
  /** The folder's glossary, or all of the user's together, have the maximum number of terms. */
  glossary_full: { status: 409 },
  /** The lecture has the maximum number of rows or amount of text. */
  lecture_full: { status: 409 },
  /** The user has as much text or as many lectures as the plan allows. */
  account_full: { status: 409 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  upgrade_required: { status: 426 },
  rate_limited: { status: 429 },
  /** The daily limit (UTC) of an address, a network or the whole site is used up. */
  daily_limit_reached: { status: 429 },
  /** The caller's daily model budget is used up. */
  model_budget_exhausted: { status: 429 },
  /** The plan's limit of concurrent recordings is reached. */
  too_many_recordings: { status: 429 },
  internal: { status: 500 },
  llm_failed: { status: 502 },
  /** The language model has answered, with nothing that can be shown: in another language, for example. */
  llm_unusable: { status: 502 },
  transcription_failed: { status: 502 },
  unavailable: { status: 503 },
  /** The daily model budget of the site, or of all guests together, is used up. */
  site_budget_exhausted: { status: 503 },
  /** No provider session is free. */
  busy: { status: 503 },
} as const satisfies Record<string, { status: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** The HTTP status that `code` is answered with. */
export function getHttpStatus(code: ErrorCode): (typeof errorCatalogue)[ErrorCode]["status"] {
  return errorCatalogue[code].status;
}

/** True when `value` is a known error code. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorCatalogue, value);
}

interface AppErrorOptions {
  /** For the log only; never leaves the server. */
  detail?: string;
  cause?: unknown;
  /** Seconds until the caller may try again, for `rate_limited`, `daily_limit_reached` and `unavailable`. */
  retryAfterSeconds?: number;
}

/** An error whose code is sent to the caller. The detail is only logged. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    options: AppErrorOptions = {},
  ) {
    super(options.detail ?? code, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The body of every HTTP error response outside tRPC. */
export interface ErrorBody {
  error: { code: ErrorCode; retryAfterSeconds?: number };
}
