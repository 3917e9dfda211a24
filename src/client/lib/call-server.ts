import type { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/app-router.ts";
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

/** Converts any failure to an ApiError. A call without a readable response is `unavailable`. */
export function toApiError(failure: unknown): ApiError {
  if (failure instanceof ApiError) return failure;
  const {
    appCode = "unavailable",
    httpStatus = 503,
    retryAfterSeconds,
  } = getErrorData(failure) ?? {};
  return new ApiError(appCode, httpStatus === 429 || httpStatus >= 500, {
    cause: failure,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** The message key of the form rule that the server found broken; null when it named none. */
export function getBrokenRule(failure: unknown): string | null {
  return getErrorData(failure)?.messageKey ?? null;
}

/** Known by its name: the class would be loaded with every page. */
const isRefusal = (failure: unknown): failure is TRPCClientError<AppRouter> =>
  failure instanceof Error && failure.name === "TRPCClientError";

const getErrorData = (failure: unknown) => (isRefusal(failure) ? failure.data : null) ?? null;

/** Calls the server; rejects with `ApiError`, or with the reason of `signal` when it was aborted. */
export async function callServer<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    signal?.throwIfAborted();
    throw toApiError(failure);
  }
}
