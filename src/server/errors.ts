import type { TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import { AppError, type ErrorCode } from "#shared/errors.ts";
import type { LogFields } from "./ports.ts";

/** A refusal by Postgres, as far as its fields are safe to read and to log. */
interface DatabaseError {
  /** Five characters; null when no answer came from the database at all. */
  sqlState: string | null;
  constraint: string | null;
}

/**
 * The database's part of `error`, looked for along its causes, or null when the database had none.
 * Told by shape, because the rules know no driver: Neon's and PGlite's errors carry the same fields.
 */
function findDatabaseError(error: unknown): DatabaseError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const code = "code" in at && typeof at.code === "string" ? at.code : null;
    const isNeon = at.name === "NeonDbError";
    const isPostgres = code !== null && /^[0-9A-Z]{5}$/.test(code) && "severity" in at;
    if (!isNeon && !isPostgres) continue;
    const constraint =
      "constraint" in at && typeof at.constraint === "string" ? at.constraint : null;
    return { sqlState: code, constraint };
  }
  return null;
}

/**
 * The name of the innermost cause of a query that failed without the database refusing it (an answer
 * that is no JSON, say), or null when no query failed. The query's own message carries its parameters.
 */
function findFailedQueryCause(error: unknown): string | null {
  let failed = false;
  let innermost: string | null = null;
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    failed ||= ("query" in at && "params" in at) || at.message.startsWith("Failed query");
    innermost = at.name;
  }
  return failed ? innermost : null;
}

/** True when `error` is the violation of `constraint`, which Postgres reports under that name. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return findDatabaseError(error)?.constraint === constraint;
}

/**
 * Connection trouble, exhausted resources, shut-down, a statement that took too long (`57014`): the same
 * call may succeed in a moment.
 */
const transientSqlStates = /^(08|53|57P|57014|40)/;

/**
 * A row that refers to an account, or to a thing of the caller's own, which was deleted while the call
 * was under way.
 */
function findDeletedReference({ sqlState, constraint }: DatabaseError): ErrorCode | null {
  if (sqlState !== "23503" || constraint === null) return null;
  if (constraint.endsWith("_user_id_users_id_fk")) return "unauthenticated";
  return /_(lecture_id_lectures_id|same_user)_fk$/.test(constraint) ? "not_found" : null;
}

const appCodes: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: "validation_failed",
  BAD_REQUEST: "validation_failed",
  METHOD_NOT_SUPPORTED: "validation_failed",
  NOT_FOUND: "not_found",
  PAYLOAD_TOO_LARGE: "payload_too_large",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
};

/** The vocabulary's reading of anything that was thrown; what it does not know is `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTrpcError(error)) {
    if (error.cause instanceof AppError) return error.cause;
    const code = appCodes[error.code];
    if (code) return new AppError(code, { cause: error });
    return error.cause ? toAppError(error.cause) : new AppError("internal", { cause: error });
  }
  const fault = findDatabaseError(error);
  const deleted = fault && findDeletedReference(fault);
  if (deleted) return new AppError(deleted, { cause: error });
  const isPassing = fault
    ? fault.sqlState === null || transientSqlStates.test(fault.sqlState)
    : findFailedQueryCause(error) !== null;
  if (isPassing) return new AppError("unavailable", { cause: error, retryAfterSeconds: 2 });
  return new AppError("internal", { cause: error });
}

function isTrpcError(error: unknown): error is TRPCError {
  return error instanceof Error && error.name === "TRPCError" && "code" in error;
}

/** The message key of the first broken rule, when `error` is a failed validation that has one. */
export function getMessageKey(error: TRPCError): string | undefined {
  const { cause } = error;
  if (!cause || !("issues" in cause) || !Array.isArray(cause.issues)) return undefined;
  const message: unknown = cause.issues[0]?.message;
  return typeof message === "string" && message.startsWith("validation.") ? message : undefined;
}

/**
 * What may be logged of `error`. A failed query's message carries its parameters, which are
 * somebody's words, so of the database only code and constraint are kept, or the cause's name.
 */
export function toLogFields(error: unknown): LogFields {
  if (error instanceof AppError)
    return { ...(error.cause ? toLogFields(error.cause) : {}), detail: error.message };
  const fault = findDatabaseError(error);
  if (fault) return { fault: "database", sqlState: fault.sqlState, constraint: fault.constraint };
  const cause = findFailedQueryCause(error);
  if (cause !== null) return { fault: "database", cause };
  if (!(error instanceof Error)) return { fault: typeof error };
  return { fault: error.name, detail: error.message, stack: error.stack };
}
