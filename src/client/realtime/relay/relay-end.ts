import type { ErrorCode } from "#shared/errors.ts";

/** Why a connection to the room cannot go on; a person must be told. */
export type RelayEnd =
  /** The room has closed the recording without an error. */
  | { kind: "closed" }
  /** Another page or device records this lecture now. */
  | { kind: "takenOver" }
  | { kind: "refused"; code: ErrorCode; message: string }
  | { kind: "disconnected"; code: number; reason: string };

/** Refusals that trying again does not cure. */
const finalCodes: readonly ErrorCode[] = [
  "unauthenticated",
  "sign_in_required",
  "guest_ticket_invalid",
  "allowance_exhausted",
  "guest_allowance_exhausted",
  "too_many_recordings",
  "origin_refused",
  "not_found",
];

/** True when a room that refuses with `code` will do so again. */
export function isFinalRefusal(code: ErrorCode): boolean {
  return finalCodes.includes(code);
}

/** True when an error of the room with `code` may pass; asked where the room does not say so itself. */
export function isRetryable(code: ErrorCode): boolean {
  return ["internal", "unavailable", "rate_limited", "busy"].includes(code);
}

/** The end that a refusal with `code` is, when the server says no more. */
export function toRefusedEnd(code: ErrorCode): RelayEnd {
  return { kind: "refused", code, message: code };
}
