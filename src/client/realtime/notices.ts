import type { ErrorCode } from "../../shared/errors.ts";
import type { SessionNotice } from "./contract.ts";
import { AudioSourceError } from "./ports.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";
import { ApiError } from "./session-api.ts";

/** What to tell about a recording that could not begin. */
export function noticeOfStart(error: unknown): SessionNotice {
  if (error instanceof AudioSourceError) {
    switch (error.fault) {
      case "denied":
        return { kind: "microphoneDenied" };
      case "missing":
        return { kind: "microphoneMissing" };
      case "busy":
        return { kind: "microphoneBusy" };
      case "unsupported":
        return { kind: "notSupported" };
      case "stuck":
        return { kind: "startTimedOut" };
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
  // Another tab goes on as a guest.
  if (error instanceof ApiError && error.code === "sign_in_required") {
    return { kind: "signInRequired", for: "lectures" };
  }
  if (error instanceof ApiError && signedOut(error.code)) return { kind: "sessionExpired" };
  return { kind: "createLectureFailed" };
}

/** What to tell about a lecture that could not be opened. */
export function noticeOfLoad(error: unknown): SessionNotice {
  if (!(error instanceof ApiError)) return { kind: "loadFailed", code: null };
  if (signedOut(error.code)) return { kind: "sessionExpired" };
  if (error.code === "not_found") return { kind: "lectureNotFound" };
  return { kind: "loadFailed", code: error.code };
}

/** What to tell about a summary that could not be had. */
export function noticeOfSummary(error: ApiError | null): SessionNotice {
  if (error?.code === "unauthenticated") return { kind: "sessionExpired" };
  if (error?.code === "sign_in_required") return { kind: "signInRequired", for: "summary" };
  return { kind: "summaryFailed" };
}

/** What to tell about saving that is refused for good. */
export function noticeOfRefusal(code: ErrorCode): SessionNotice {
  if (code === "unauthenticated") return { kind: "sessionExpired" };
  return { kind: "saveFailed" };
}

/** What to tell about a connection that is gone for good. `limitHours`: the month's allowance. */
export function noticeOfEnd(
  end: RelayEnd,
  identity: "user" | "guest",
  limitHours: number,
): SessionNotice {
  if (end.kind === "takenOver") return { kind: "recordingTakenOver" };
  if (end.kind === "disconnected") {
    return { kind: "providerDisconnected", code: end.code, reason: end.reason };
  }
  if (end.code === "allowance_exhausted") return { kind: "monthlyLimitReached", limitHours };
  if (end.code === "guest_allowance_exhausted") return { kind: "guestLimitReached" };
  if (signedOut(end.code)) {
    return { kind: identity === "guest" ? "guestTicketRefused" : "sessionExpired" };
  }
  // Only what the recogniser said is told in its words; a code is no word.
  if (end.code === "transcription_failed" && end.message !== end.code) {
    return { kind: "providerError", message: end.message };
  }
  return { kind: "recordingRefused", code: end.code };
}

function signedOut(code: ErrorCode): boolean {
  return (
    code === "unauthenticated" || code === "sign_in_required" || code === "guest_ticket_invalid"
  );
}
