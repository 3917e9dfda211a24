import { TRPCClientError } from "@trpc/client";
import { ApiError } from "#client/realtime/server-api.ts";
import type { AppRouter } from "#server/app-router.ts";
import { type ErrorCode, getHttpStatus, isErrorCode } from "#shared/errors.ts";

/** `failure` in the vocabulary of errors. What never reached the server, or came back garbled, is `unavailable`. */
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

/** The message key of the rule of a form that the server found broken; null when it named none. */
export function getBrokenRule(failure: unknown): string | null {
  const data = failure instanceof TRPCClientError ? getErrorData(failure) : null;
  return data?.messageKey ?? null;
}

const getErrorData = (failure: TRPCClientError<AppRouter>) => failure.data ?? null;
