import type { SessionNotice } from "#client/realtime/session-types.ts";
import type { ToastMessage } from "#client/state/notifications.ts";
import type { MessageKey } from "./dialog-messages/index.ts";

export interface NoticeMessage {
  kind: ToastMessage["kind"];
  title: MessageKey;
  text?: MessageKey;
}

type Kind = SessionNotice["kind"];

export type AlertKind =
  | "microphoneDenied"
  | "microphoneMissing"
  | "microphoneBusy"
  | "microphoneLost"
  | "recordingRefused"
  | "providerError"
  | "providerDisconnected"
  | "lectureDeletedElsewhere";

/** Notices whose text depends on more than their kind. */
type CustomKind =
  | "sessionExpired"
  | "allowanceLow"
  | "monthlyLimitReached"
  | "guestLimitReached"
  | "modelBudgetExhausted"
  | "recordingPaused"
  | "noContent"
  | "signInRequired"
  | "loadFailed"
  | "capacityReached";

export const toastMessages: Record<Exclude<Kind, AlertKind | CustomKind>, NoticeMessage> = {
  recordingStarted: { kind: "success", title: "notice.recordingStarted" },
  recordingResumed: { kind: "success", title: "notice.recordingResumed" },
  recordingStopped: { kind: "info", title: "notice.recordingStopped" },
  finalizingTranslations: { kind: "info", title: "notice.finalizingTranslations" },
  lectureSaved: {
    kind: "success",
    title: "notice.lectureSaved",
    text: "notice.lectureSavedText",
  },
  newLectureCreated: { kind: "success", title: "notice.newLectureCreated" },
  newLectureReadyGuest: { kind: "success", title: "notice.newLectureReadyGuest" },
  noActiveLecture: {
    kind: "info",
    title: "notice.noActiveLecture",
    text: "notice.noActiveLectureText",
  },
  notSupported: {
    kind: "failure",
    title: "notice.notSupported",
    text: "notice.notSupportedText",
  },
  guestTicketRefused: {
    kind: "failure",
    title: "notice.guestTicketRefused",
    text: "notice.guestTicketRefusedText",
  },
  microphoneChangeFailed: {
    kind: "failure",
    title: "notice.microphoneChangeFailed",
    text: "notice.microphoneChangeFailedText",
  },
  codeNotLoaded: {
    kind: "failure",
    title: "notice.codeNotLoaded",
    text: "notice.codeNotLoadedText",
  },
  createLectureFailed: {
    kind: "failure",
    title: "common.error",
    text: "notice.createLectureFailed",
  },
  startFailed: { kind: "failure", title: "common.error", text: "notice.startFailed" },
  startTimedOut: {
    kind: "failure",
    title: "notice.startFailed",
    text: "notice.startTimedOut",
  },
  saveFailed: { kind: "failure", title: "notice.saveFailed", text: "notice.saveFailedText" },
  lectureNotFound: {
    kind: "failure",
    title: "notice.lectureNotFound",
    text: "notice.lectureNotFoundText",
  },
  summaryGenerated: { kind: "success", title: "notice.summaryGenerated" },
  summaryFailed: {
    kind: "failure",
    title: "notice.summaryFailed",
    text: "notice.summaryFailedText",
  },
  translationFailed: {
    kind: "failure",
    title: "notice.translationFailed",
    text: "notice.translationFailedText",
  },
  storageFull: {
    kind: "failure",
    title: "notice.storageFull",
    text: "notice.storageFullText",
  },
  soundUnreadable: {
    kind: "failure",
    title: "notice.soundUnreadable",
    text: "notice.soundUnreadableText",
  },
  soundMissing: {
    kind: "failure",
    title: "notice.soundMissing",
    text: "notice.soundMissingText",
  },
  providerBusy: { kind: "info", title: "notice.providerBusy", text: "error.busy" },
  recordingTakenOver: {
    kind: "info",
    title: "notice.recordingTakenOver",
    text: "notice.recordingTakenOverText",
  },
  soundRecovered: {
    kind: "info",
    title: "notice.soundRecovered",
    text: "notice.soundRecoveredText",
  },
};

type PurposeOf<K extends Kind> =
  Extract<SessionNotice, { kind: K }> extends { for: infer F extends string } ? F : never;

export const noContentTexts: Record<PurposeOf<"noContent">, MessageKey> = {
  save: "notice.noContentText",
  summary: "notice.noContentSummary",
};

export const signInTexts: Record<PurposeOf<"signInRequired">, MessageKey> = {
  lectures: "notice.signInLectures",
  save: "notice.signInRequiredText",
  summary: "notice.signInSummary",
};
