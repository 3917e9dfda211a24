import { ApiError } from "#client/lib/api-error.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { type AudioErrorReason, AudioSourceError } from "./platform/ports.ts";
import type { RecognitionFailure } from "./recognition/recognition-error.ts";
import type { RelayEnd } from "./relay/relay-end.ts";
import type { LectureNotice, SessionNotice } from "./session-notice.ts";
import type { SessionPorts } from "./session-ports.ts";
import { type BudgetCode, isBudgetError } from "./translation/model-pause.ts";

const startNotices = {
  denied: "microphoneDenied",
  missing: "microphoneMissing",
  busy: "microphoneBusy",
  unsupported: "notSupported",
  stuck: "startTimedOut",
  failed: "startFailed",
} as const satisfies Record<AudioErrorReason, SessionNotice["kind"]>;

export function toStartNotice(error: unknown): SessionNotice {
  return { kind: error instanceof AudioSourceError ? startNotices[error.reason] : "startFailed" };
}

export function toRecognitionNotice(reason: RecognitionFailure): SessionNotice {
  if (reason === "denied") return { kind: "microphoneDenied" };
  if (reason === "missing") return { kind: "microphoneMissing" };
  return { kind: "recognitionFailed", reason, isDemoUsed: false };
}

export function toCreateNotice(error: unknown): SessionNotice {
  const code = error instanceof ApiError ? error.code : "internal";
  // Another tab has signed out and is a guest now.
  if (code === "sign_in_required") return { kind: "signInRequired", for: "lectures" };
  if (isSignedOut(code)) return { kind: "sessionExpired" };
  if (code === "account_full") return { kind: "capacityReached", code };
  return { kind: "createLectureFailed" };
}

export function toLoadNotice(error: unknown): SessionNotice {
  if (!(error instanceof ApiError)) return { kind: "loadFailed", code: null };
  if (isSignedOut(error.code)) return { kind: "sessionExpired" };
  if (error.code === "not_found") return { kind: "lectureNotFound" };
  return { kind: "loadFailed", code: error.code };
}

export function toSummaryNotice(error: ApiError | null): LectureNotice {
  if (error?.code === "unauthenticated") return { kind: "sessionExpired" };
  if (error?.code === "sign_in_required") return { kind: "signInRequired", for: "summary" };
  // Guests have no summaries.
  if (isBudgetError(error)) return toBudgetNotice(error.code, "user");
  return { kind: "summaryFailed" };
}

export function toBudgetNotice(code: BudgetCode, identity: "user" | "guest"): LectureNotice {
  const budget = code === "site_budget_exhausted" ? "site" : identity;
  return { kind: "modelBudgetExhausted", budget };
}

export function toSaveNotice(code: ErrorCode): LectureNotice {
  if (code === "unauthenticated") return { kind: "sessionExpired" };
  if (code === "lecture_full" || code === "account_full") return { kind: "capacityReached", code };
  return { kind: "saveFailed" };
}

/** Null after a clean close, because the stop sends its own notice. `limitHours`: per month. */
export function toEndNotice(
  end: RelayEnd,
  identity: "user" | "guest",
  limitHours: number,
): SessionNotice | null {
  if (end.kind === "closed") return null;
  if (end.kind === "takenOver") return { kind: "recordingTakenOver" };
  if (end.kind === "disconnected") {
    return { kind: "providerDisconnected", code: end.code, reason: end.reason };
  }
  if (end.code === "allowance_exhausted") return { kind: "monthlyLimitReached", limitHours };
  if (end.code === "guest_allowance_exhausted") return { kind: "guestLimitReached" };
  if (isSignedOut(end.code)) {
    return { kind: identity === "guest" ? "guestTicketRefused" : "sessionExpired" };
  }
  // The provider's message is shown only if it is text and not just the error code.
  if (end.code === "transcription_failed" && end.message !== end.code) {
    return { kind: "providerError", message: end.message };
  }
  return { kind: "recordingRefused", code: end.code };
}

function isSignedOut(code: ErrorCode): boolean {
  return (
    code === "unauthenticated" || code === "sign_in_required" || code === "guest_ticket_invalid"
  );
}

/** Notices that are sent once until `allowAgain`. */
type NoticeSentOnce =
  | "providerBusy"
  | "recordingTakenOver"
  | "soundNotKept"
  | "soundUnreadable"
  | "storageFull";

/** Sends the notices of one session to its listeners. */
export class NoticeSender {
  readonly #listeners = new Set<(notice: SessionNotice) => void>();
  readonly #sentOnce = new Set<NoticeSentOnce>();

  constructor(private readonly log: SessionPorts["log"]) {}

  subscribe(listener: (notice: SessionNotice) => void): () => void {
    const wrapped = (notice: SessionNotice) => listener(notice);
    this.#listeners.add(wrapped);
    return () => this.#listeners.delete(wrapped);
  }

  send(notice: SessionNotice): void {
    for (const listener of [...this.#listeners]) {
      // A failing listener must not stop the command that sends the notice.
      try {
        listener(notice);
      } catch (error) {
        this.log.warn("notice not shown", {
          kind: notice.kind,
          error: error instanceof Error ? error.name : "unknown",
        });
      }
    }
  }

  sendOnce(kind: NoticeSentOnce): void {
    if (this.#sentOnce.has(kind)) return;
    this.#sentOnce.add(kind);
    this.send({ kind });
  }

  allowAgain(...kinds: NoticeSentOnce[]): void {
    for (const kind of kinds) this.#sentOnce.delete(kind);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
