import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "#server/app-router.ts";
import { type ErrorCode, getHttpStatus, isErrorCode } from "#shared/errors.ts";
import { ApiError } from "./api-error.ts";

/** Converts any failure to an ApiError. A call without a readable response is `unavailable`. */
export function toApiError(failure: unknown): ApiError {
  if (failure instanceof ApiError) return failure;
  const data = failure instanceof TRPCClientError ? getErrorData(failure) : null;
  const code: ErrorCode = isErrorCode(data?.appCode) ? data.appCode : "unavailable";
  const status = getHttpStatus(code);
  return new ApiError(code, status === 429 || status >= 500, {
    cause: failure,
    ...(data?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: data.retryAfterSeconds }),
  });
}

/** The message key of the form rule that the server found broken; null when it named none. */
export function getBrokenRule(failure: unknown): string | null {
  const data = failure instanceof TRPCClientError ? getErrorData(failure) : null;
  return data?.messageKey ?? null;
}

const getErrorData = (failure: TRPCClientError<AppRouter>) => failure.data ?? null;

/** Calls the server; rejects with `ApiError`, or with the reason of `signal` when it was aborted. */
export async function callServer<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    signal?.throwIfAborted();
    throw toApiError(failure);
  }
}
