import { type MessageKey, t } from "../../i18n/index.ts";
import { sessionIsOver } from "../../lib/auth.ts";
import { alertUser, type ToastMessage, toast } from "../../lib/notify.ts";
import type { SessionNotice, SessionView } from "../../realtime/contract.ts";

/** The speech service, as the specification's alerts name it. */
const provider = "Soniox";

type Told = Exclude<
  SessionNotice["kind"],
  "providerError" | "providerDisconnected" | "sessionExpired" | "recordingPaused"
>;

interface Wording {
  kind: ToastMessage["kind"];
  title: MessageKey;
  text?: MessageKey;
}

const wordings: Record<Told, Wording> = {
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
  noContent: { kind: "info", title: "notice.noContent", text: "notice.noContentText" },
  noActiveLecture: {
    kind: "info",
    title: "notice.noActiveLecture",
    text: "notice.noActiveLectureText",
  },
  signInRequired: {
    kind: "info",
    title: "notice.signInRequired",
    text: "notice.signInRequiredText",
  },
  notSupported: {
    kind: "failure",
    title: "notice.notSupported",
    text: "notice.notSupportedText",
  },
  monthlyLimitReached: {
    kind: "failure",
    title: "notice.monthlyLimitReached",
    text: "notice.monthlyLimitReachedText",
  },
  microphoneDenied: {
    kind: "failure",
    title: "notice.microphoneDenied",
    text: "notice.microphoneDeniedText",
  },
  microphoneMissing: {
    kind: "failure",
    title: "notice.microphoneMissing",
    text: "notice.microphoneMissingText",
  },
  microphoneLost: {
    kind: "failure",
    title: "notice.microphoneLost",
    text: "notice.microphoneLostText",
  },
  createLectureFailed: {
    kind: "failure",
    title: "common.error",
    text: "notice.createLectureFailed",
  },
  startFailed: { kind: "failure", title: "common.error", text: "notice.startFailed" },
  saveFailed: { kind: "failure", title: "notice.saveFailed", text: "notice.saveFailedText" },
  lectureNotFound: {
    kind: "failure",
    title: "notice.lectureNotFound",
    text: "notice.lectureNotFoundText",
  },
  loadFailed: { kind: "failure", title: "notice.loadFailed", text: "notice.loadFailedText" },
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

/** The figures of a notice that its text may name. */
function valuesOf(notice: SessionNotice): Record<string, number> {
  switch (notice.kind) {
    case "lectureSaved":
      return { words: notice.words };
    case "monthlyLimitReached":
      return { hours: notice.limitHours };
    case "soundRecovered":
      return { seconds: notice.seconds };
    default:
      return {};
  }
}

/** Tells the person what happened, as a toast or as an alert that stays. */
export function tell(notice: SessionNotice, view: SessionView): void {
  switch (notice.kind) {
    case "sessionExpired":
      sessionIsOver();
      return;
    case "providerError":
      alertUser({
        title: t("provider.title"),
        text: t("provider.error", { provider, message: notice.message }),
      });
      return;
    case "providerDisconnected":
      alertUser({
        title: t("provider.title"),
        text: t("provider.disconnected", {
          provider,
          code: notice.code,
          reason: notice.reason || t("provider.unknown"),
        }),
      });
      return;
    case "recordingPaused":
      // What is not saved, or not yet, must not be called saved.
      if (view.save === "saved") {
        toast({ kind: "success", title: t("notice.recordingPaused") });
      } else if (view.save === "local") {
        toast({
          kind: "info",
          title: t("notice.recordingPausedGuest"),
          description: t("notice.recordingPausedGuestText"),
        });
      } else toast({ kind: "info", title: t("notice.recordingPausedGuest") });
      return;
    default: {
      const { kind, title, text } = wordings[notice.kind];
      const values = valuesOf(notice);
      toast({ kind, title: t(title), ...(text && { description: t(text, values) }) });
    }
  }
}
