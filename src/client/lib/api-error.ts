import type { ErrorCode } from "#shared/errors.ts";

/** An error of the server or the network, with a code of src/shared/errors.ts. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly code: ErrorCode,
    /** True for network failures, 429 and 5xx: the same call may succeed later. */
    readonly retryable: boolean,
    options?: { cause?: unknown; retryAfterSeconds?: number },
  ) {
    super(code, { cause: options?.cause });
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
  readonly retryAfterSeconds: number | undefined;
}
