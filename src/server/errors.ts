import type { TRPC_ERROR_CODE_KEY, TRPCError } from "@trpc/server";
import * as z from "zod/mini";
import { AppError, type ErrorCode } from "#shared/errors.ts";
import type { LogFields } from "./ports.ts";

/** The fields of a Postgres error that are safe to log. */
interface DatabaseError {
  /** Five characters; null if the database did not answer. */
  sqlState: string | null;
  constraint: string | null;
}

/**
 * Finds a database error among `error` and its causes; null if there is none. Detected by its fields, which
 * Neon's and PGlite's errors share, because this code does not depend on a driver.
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
 * Name of the innermost cause of a query that failed outside the database (for example an invalid JSON
 * response); null if no query failed. The query's message is not used, because it contains parameters.
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

/** True if `error` is a violation of the database constraint named `constraint`. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return findDatabaseError(error)?.constraint === constraint;
}

/**
 * SQLSTATEs of errors that a retry may fix: connection errors, exhausted resources, shutdown, statement
 * timeout (`57014`), serialization failures.
 */
const transientSqlStates = /^(08|53|57P|57014|40)/;

/**
 * Error code for a foreign key violation: the account, or another row of the user, was deleted during the
 * call.
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

/** Converts any thrown value to an AppError; unknown errors become `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isTrpcError(error)) {
    if (error.cause instanceof AppError) return error.cause;
    const code = appCodes[error.code];
    if (code) return new AppError(code, { cause: error });
    return error.cause ? toAppError(error.cause) : new AppError("internal", { cause: error });
  }
  const databaseError = findDatabaseError(error);
  const deleted = databaseError && findDeletedReference(databaseError);
  if (deleted) return new AppError(deleted, { cause: error });
  const isTransient = databaseError
    ? databaseError.sqlState === null || transientSqlStates.test(databaseError.sqlState)
    : findFailedQueryCause(error) !== null;
  if (isTransient) return new AppError("unavailable", { cause: error, retryAfterSeconds: 2 });
  return new AppError("internal", { cause: error });
}

function isTrpcError(error: unknown): error is TRPCError {
  return error instanceof Error && error.name === "TRPCError" && "code" in error;
}

/** Message key of the first failed validation rule, if there is one. */
export function getMessageKey(error: TRPCError): string | undefined {
  const { cause } = error;
  if (!cause || !("issues" in cause) || !Array.isArray(cause.issues)) return undefined;
  const message: unknown = cause.issues[0]?.message;
  return typeof message === "string" && message.startsWith("validation.") ? message : undefined;
}

/** What is wrong with an input, without anything that was sent but names of fields. */
interface InputIssue {
  /** Names and indexes with points between them; empty for the whole input. */
  field: string;
  /** zod's code of the rule. */
  rule: string;
  /** What the rule asks for, as zod names it: `maximum`, for example. */
  [detail: string]: unknown;
}

const issuesMax = 20;
const issueDetails = ["expected", "format", "minimum", "maximum", "values"];

/** The rules that an input has broken; undefined if that is not known. */
export function listInputIssues({ cause }: TRPCError): InputIssue[] | undefined {
  if (!(cause instanceof z.core.$ZodError)) return undefined;
  return cause.issues.flatMap((issue) => toInputIssues(issue, [])).slice(0, issuesMax);
}

function toInputIssues(issue: z.core.$ZodIssue, place: readonly PropertyKey[]): InputIssue[] {
  const path = [...place, ...issue.path];
  // Of every alternative: which one was meant is not known.
  if (issue.code === "invalid_union" && issue.errors.length > 0)
    return issue.errors.flat().flatMap((one) => toInputIssues(one, path));
  const details = Object.entries(issue).filter(([name]) => issueDetails.includes(name));
  // Only rules of our own have a message that says more than their name.
  if (issue.code === "custom") details.push(["message", issue.message]);
  return [{ field: path.map(String).join("."), rule: issue.code, ...Object.fromEntries(details) }];
}

/**
 * Fields of `error` for the log. The message of a failed query contains its parameters (user text), so
 * database errors are logged with code and constraint, or the cause's name, only.
 */
export function toLogFields(error: unknown): LogFields {
  if (error instanceof AppError)
    return { ...(error.cause ? toLogFields(error.cause) : {}), detail: error.message };
  const databaseError = findDatabaseError(error);
  if (databaseError)
    return {
      error: "database",
      sqlState: databaseError.sqlState,
      constraint: databaseError.constraint,
    };
  const cause = findFailedQueryCause(error);
  if (cause !== null) return { error: "database", cause };
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, detail: error.message, stack: error.stack };
}
