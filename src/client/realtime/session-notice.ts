import type { ErrorCode } from "#shared/errors.ts";
import type { RecognitionFailure } from "./recognition/recognition-error.ts";

/** What a person is told of a lecture's text, whether it is recorded or only read. */
export type LectureNotice =
  | { kind: "noContent"; for: "save" | "summary" }
  | { kind: "signInRequired"; for: "lectures" | "save" | "summary" }
  | { kind: "summaryGenerated" | "summaryFailed" }
  /** The day's model budget is used up. Sent once, and for each requested summary. */
  | { kind: "modelBudgetExhausted"; budget: "user" | "guest" | "site" }
  /** A translation that the person requested failed. */
  | { kind: "translationFailed" }
  | { kind: "saveFailed" }
  /** The lecture or the account is full. Sent once; what is not saved stays on the page. */
  | { kind: "capacityReached"; code: "lecture_full" | "account_full" }
  /** The open lecture was deleted in another tab or device. Sent once; the transcript stays on the page. */
  | { kind: "lectureDeletedElsewhere"; id: string }
  | { kind: "sessionExpired" };

/** An event that the page shows to the person as a toast or an alert. */
export type SessionNotice =
  | LectureNotice
  | { kind: "recordingStarted" | "recordingResumed" | "recordingPaused" | "recordingStopped" }
  | { kind: "finalizingTranslations" }
  /** `unsentSeconds`: audio that is not transcribed yet. */
  | { kind: "lectureSaved"; words: number; unsentSeconds: number }
  | { kind: "newLectureCreated" | "newLectureReadyGuest" }
  | { kind: "noActiveLecture" | "notSupported" }
  | { kind: "monthlyLimitReached"; limitHours: number }
  /** Sent once per recording. `seconds`: what is left. */
  | { kind: "allowanceLow"; seconds: number; identity: "user" | "guest" }
  /** The guest's allowance for today is used up. */
  | { kind: "guestLimitReached" }
  /** The guest ticket was refused or has expired; the transcript stays. */
  | { kind: "guestTicketRefused" }
  | { kind: "microphoneDenied" | "microphoneMissing" | "microphoneLost" | "microphoneBusy" }
  /** The browser's recognition does not work. `isDemoUsed`: the demo takes its place. */
  | { kind: "recognitionFailed"; reason: RecognitionFailure; isDemoUsed: boolean }
  /** The newly chosen device could not be opened; the previous one is used again. */
  | { kind: "microphoneChangeFailed" }
  /** The code for recording could not be fetched. */
  | { kind: "codeNotLoaded" }
  | { kind: "createLectureFailed" | "startFailed" | "startTimedOut" }
  | { kind: "lectureNotFound" }
  /** `code`: the server's error; null: another error. */
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
