import type { ErrorCode } from "#shared/errors.ts";

/** Why a connection to the room has ended for good. */
export type RelayEnd =
  /** The room has closed the recording without an error. */
  | { kind: "closed" }
  /** Another tab or device records this lecture now. */
  | { kind: "takenOver" }
  /**
   * Another engine has to recognise. `demoOnly`: the site has only the demo voice, which the person has not chosen.
   * `noLanguage`: the service does not know the take's languages.
   */
  | { kind: "notRecognized"; reason: "demoOnly" | "noLanguage" }
  | { kind: "refused"; code: ErrorCode; message: string }
  /** `reason`: empty where none was given. */
  | { kind: "disconnected"; code: number; reason: string };

/** Refusals that a retry does not change. */
const finalCodes: readonly ErrorCode[] = [
  "unauthenticated",
  "sign_in_required",
  "guest_ticket_invalid",
  "allowance_exhausted",
  "guest_allowance_exhausted",
  "speech_not_offered",
  "too_many_recordings",
  "origin_refused",
  "not_found",
];

/** True when a room that refuses with `code` will do so again. */
export function isFinalRefusal(code: ErrorCode): boolean {
  return finalCodes.includes(code);
}

/** Default for errors of the room that do not say whether they are retryable. */
export function isRetryable(code: ErrorCode): boolean {
  return ["internal", "unavailable", "rate_limited", "busy"].includes(code);
}

/** The end for a refusal without a message. */
export function toRefusedEnd(code: ErrorCode): RelayEnd {
  return { kind: "refused", code, message: code };
}
