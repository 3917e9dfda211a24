import type { ErrorCode } from "../../shared/errors.ts";
import { ApiError, type SessionNotice } from "./contract.ts";
import { AudioSourceError } from "./ports.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";

/** What to tell about a recording that could not begin. */
export function noticeOfStart(error: unknown): SessionNotice {
  if (error instanceof AudioSourceError) {
    switch (error.fault) {
      case "denied":
        return { kind: "microphoneDenied" };
      case "missing":
        return { kind: "microphoneMissing" };
      case "unsupported":
        return { kind: "notSupported" };
      case "failed":
        return { kind: "startFailed" };
      default:
        return error.fault satisfies never;
    }
  }
  return { kind: "startFailed" };
}

/** What to tell about a lecture that could not be created. */
export function noticeOfCreation(error: unknown): SessionNotice {
  if (error instanceof ApiError && signedOut(error.code)) return { kind: "sessionExpired" };
  return { kind: "createLectureFailed" };
}

/** What to tell about a lecture that could not be opened. */
export function noticeOfLoad(error: unknown): SessionNotice {
  if (!(error instanceof ApiError)) return { kind: "loadFailed" };
  if (signedOut(error.code)) return { kind: "sessionExpired" };
  return { kind: error.code === "not_found" ? "lectureNotFound" : "loadFailed" };
}

/** What to tell about a connection that is gone for good. `limitHours`: the month's allowance. */
export function noticeOfEnd(end: RelayEnd, limitHours: number): SessionNotice {
  if (end.kind === "takenOver") return { kind: "recordingTakenOver" };
  if (end.kind === "disconnected") {
    return { kind: "providerDisconnected", code: end.code, reason: end.reason };
  }
  if (end.code === "allowance_exhausted") return { kind: "monthlyLimitReached", limitHours };
  if (end.code === "not_found") return { kind: "lectureNotFound" };
  if (signedOut(end.code)) return { kind: "sessionExpired" };
  return { kind: "providerError", message: end.message };
}

function signedOut(code: ErrorCode): boolean {
  return (
    code === "unauthenticated" || code === "sign_in_required" || code === "guest_ticket_invalid"
  );
}
