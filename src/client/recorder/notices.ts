import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Log } from "#client/lib/log.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import { type AudioErrorReason, AudioSourceError } from "#client/sound/capture/audio-ports.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { TranslationLanguage } from "#shared/languages.ts";

/** An event that the page shows to the person as a toast or an alert. */
export type SessionNotice =
  | LectureNotice
  | { kind: "recordingStarted" | "recordingResumed" | "recordingStopped" }
  /** `isSaved`: the server has all the words. `untranslated`: sentences whose translation has not come in time. */
  | { kind: "recordingPaused"; isSaved: boolean; untranslated: number }
  | { kind: "finalizingTranslations" }
  /** The speech service does not translate into `language`; other translators do. Sent once. */
  | { kind: "translationNotInStream"; language: TranslationLanguage }
  /** `unsentSeconds`: audio that is not transcribed yet. */
  | { kind: "lectureSaved"; words: number; unsentSeconds: number }
  /** The folder chosen at Save is gone; the lecture is as before. */
  | { kind: "folderMissing" }
  | { kind: "newLectureCreated" | "newLectureReadyGuest" }
  | { kind: "noActiveLecture" | "notSupported" }
  | { kind: "monthlyLimitReached"; limitHours: number }
  /** Sent once per recording. `seconds`: what is left. */
  | { kind: "allowanceLow"; seconds: number; identity: "user" | "guest" }
  /** The guest's allowance for today is used up. */
  | { kind: "guestLimitReached" }
  /** The guest ticket was refused or has expired; the transcript stays. */
  | { kind: "guestTicketRefused" }
  /** `microphoneLost`: whatever was captured gives nothing any more, and there is nothing else. */
  | { kind: "microphoneDenied" | "microphoneMissing" | "microphoneLost" | "microphoneBusy" }
  /** No tab or screen was chosen to be recorded, or one without sound. */
  | { kind: "notShared" | "noSound" }
  /** Another microphone gives the sound, which nobody has chosen. `label`: the browser's name of it, or empty. */
  | { kind: "microphoneReplaced"; label: string }
  /** What microphone `deviceId` hears of the speech has been quiet for a minute, after what the browser changes of it. */
  | { kind: "speechQuiet"; deviceId: string }
  /** The newly chosen device could not be opened; the previous one is used again. */
  | { kind: "microphoneChangeFailed" }
  /** The code for recording could not be fetched. */
  | { kind: "codeNotLoaded" }
  | { kind: "createLectureFailed" | "startFailed" | "startTimedOut" }
  | { kind: "lectureNotFound" }
  /** `code`: the server's error; null: it did not answer, or another error. */
  | { kind: "loadFailed"; code: ErrorCode | null }
  /** The disk is full; the recording goes on in memory. */
  | { kind: "storageFull" }
  /** The disk is full, so kept sound was deleted or is not kept any more. Sent once. */
  | { kind: "soundNotKept" }
  /** Takes that an earlier visit may have stored cannot be read now. Sent once. */
  | { kind: "soundUnreadable" }
  /** Audio of `seconds` is lost: memory was full, or the microphone delivered nothing. */
  | { kind: "soundMissing"; seconds: number }
  | { kind: "recordingTakenOver" }
  /** The server refuses this recording with an error code and no message of its own. */
  | { kind: "recordingRefused"; code: ErrorCode }
  /** The provider has no free stream; the recording goes on. Sent once per recording. */
  | { kind: "providerBusy" }
  | { kind: "providerError"; message: string }
  | { kind: "providerDisconnected"; code: number; reason: string }
  | { kind: "soundRecovered"; seconds: number };

const startNotices = {
  denied: "microphoneDenied",
  missing: "microphoneMissing",
  busy: "microphoneBusy",
  unsupported: "notSupported",
  stuck: "startTimedOut",
  failed: "startFailed",
  notShared: "notShared",
  noSound: "noSound",
} as const satisfies Record<AudioErrorReason, SessionNotice["kind"]>;

export function toStartNotice(error: unknown): SessionNotice {
  return { kind: error instanceof AudioSourceError ? startNotices[error.reason] : "startFailed" };
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
  if (!(error instanceof ApiError) || error.code === "unavailable")
    return { kind: "loadFailed", code: null };
  if (isSignedOut(error.code)) return { kind: "sessionExpired" };
  if (error.code === "not_found") return { kind: "lectureNotFound" };
  return { kind: "loadFailed", code: error.code };
}

/** Null after a clean close, because the stop sends its own notice, and for a `SpeechProblem`. `limitHours`: per month. */
export function toEndNotice(
  end: RelayEnd,
  identity: "user" | "guest",
  limitHours: number,
): SessionNotice | null {
  if (end.kind === "closed" || end.kind === "notRecognized") return null;
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

/** Notices whose cause may come again and again: each is sent once until `allowAgain`. */
const kindsSentOnce: ReadonlySet<SessionNotice["kind"]> = new Set([
  "providerBusy",
  "recordingTakenOver",
  "soundNotKept",
  "soundUnreadable",
  "storageFull",
  "translationNotInStream",
]);

/** Sends the notices of one session to its listeners. */
export class NoticeSender {
  readonly #listeners = new Set<(notice: SessionNotice) => void>();
  readonly #sentOnce = new Set<SessionNotice["kind"]>();

  constructor(private readonly log: Log) {}

  subscribe(listener: (notice: SessionNotice) => void): () => void {
    const wrapped = (notice: SessionNotice) => listener(notice);
    this.#listeners.add(wrapped);
    return () => this.#listeners.delete(wrapped);
  }

  send(notice: SessionNotice): void {
    if (this.#sentOnce.has(notice.kind)) return;
    if (kindsSentOnce.has(notice.kind)) this.#sentOnce.add(notice.kind);
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

  allowAgain(...kinds: SessionNotice["kind"][]): void {
    for (const kind of kinds) this.#sentOnce.delete(kind);
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** `ms` of audio are lost. */
export const toMissingNotice = (ms: number): SessionNotice => ({
  kind: "soundMissing",
  seconds: ms / 1_000,
});
