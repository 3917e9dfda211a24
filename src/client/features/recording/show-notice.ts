import type { RecordingSession, SaveState, SessionNotice } from "#client/realtime/session-types.ts";
import { handleSessionExpired } from "#client/state/auth.ts";
import { alertUser, toast, toastFailure } from "#client/state/notifications.ts";
import { type MessageKey, t } from "./dialog-messages/index.ts";
import { type AlertKind, noContentTexts, signInTexts, toastMessages } from "./notice-messages.ts";
import { openDialog } from "./open-dialog.ts";

/** The speech service's name in alerts. */
const provider = "Soniox";

type Recording = Pick<RecordingSession, "view" | "record" | "stop" | "keepAsNewLecture">;

export interface NoticeActions {
  openPlans(): void;
  signIn(): void;
  openTrash(): void;
}

export function notify(notice: SessionNotice, session: Recording, actions: NoticeActions): void {
  switch (notice.kind) {
    case "sessionExpired":
      handleSessionExpired();
      break;
    case "microphoneDenied":
    case "microphoneMissing":
    case "microphoneBusy":
    case "microphoneLost":
      alertMicrophoneProblem(notice.kind, session);
      break;
    case "lectureDeletedElsewhere":
      alertUser({
        title: t("notice.lectureNotFound"),
        text: t("notice.deletedElsewhereText"),
        actions: [
          { label: t("notice.deletedToTrash"), run: actions.openTrash },
          { label: t("notice.deletedKeep"), run: () => void session.keepAsNewLecture(notice.id) },
        ],
      });
      break;
    case "recordingRefused":
      alertTranscriptionStopped(t(`error.${notice.code}`));
      break;
    case "allowanceLow":
      notifyAllowanceLow(notice, actions);
      break;
    case "monthlyLimitReached":
      toast({
        kind: "failure",
        title: t("notice.monthlyLimitReached"),
        description: t("notice.monthlyLimitReachedText", { hours: notice.limitHours }),
        action: { label: t("record.toPlans"), run: actions.openPlans },
      });
      break;
    case "guestLimitReached":
      toast({
        kind: "failure",
        title: t("notice.guestLimitReached"),
        description: t("notice.guestLimitReachedText"),
        action: { label: t("auth.signIn"), run: actions.signIn },
      });
      break;
    case "modelBudgetExhausted":
      notifyBudgetExhausted(notice.budget, actions);
      break;
    case "providerError":
      alertTranscriptionStopped(t("provider.error", { provider, message: notice.message }));
      break;
    case "providerDisconnected": {
      const reason = notice.reason || t("provider.unknown");
      alertTranscriptionStopped(
        t("provider.disconnected", { provider, code: notice.code, reason }),
      );
      break;
    }
    case "recordingPaused":
      notifyPaused(session.view.get().saveState);
      break;
    case "noContent":
      toast({
        kind: "info",
        title: t("notice.noContent"),
        description: t(noContentTexts[notice.for]),
      });
      break;
    case "signInRequired":
      toast({
        kind: "info",
        title: t("notice.signInRequired"),
        description: t(signInTexts[notice.for]),
      });
      break;
    case "capacityReached":
      toastFailure(t("notice.saveFailed"), t(`error.${notice.code}`));
      break;
    case "loadFailed":
      toastFailure(
        t(notice.code ? "notice.loadRefused" : "notice.loadFailed"),
        t(notice.code ? `error.${notice.code}` : "notice.loadFailedText"),
      );
      break;
    default: {
      const { kind, title, ...message } = toastMessages[notice.kind];
      const hasUnsent = notice.kind === "lectureSaved" && notice.unsentSeconds > 0;
      const text = hasUnsent ? "notice.lectureSavedWaitingText" : message.text;
      toast({
        kind,
        title: t(title),
        ...(text && { description: t(text, getMessageValues(notice)) }),
      });
    }
  }
}

const alertTranscriptionStopped = (text: string) => alertUser({ title: t("provider.title"), text });

function getMessageValues(notice: SessionNotice): Record<string, number> {
  switch (notice.kind) {
    case "lectureSaved":
      return { words: notice.words, seconds: notice.unsentSeconds };
    case "soundMissing":
    case "soundRecovered":
      return { seconds: notice.seconds };
    default:
      return {};
  }
}

/** A user is offered a larger plan, a guest an account. */
function notifyAllowanceLow(
  { seconds, identity }: Extract<SessionNotice, { kind: "allowanceLow" }>,
  actions: NoticeActions,
): void {
  const minutes = Math.ceil(seconds / 60);
  const isGuest = identity === "guest";
  toast({
    kind: "info",
    title: minutes > 1 ? t("record.minutesLow", { minutes }) : t("record.lastMinute"),
    description: t(isGuest ? "notice.allowanceLowGuestText" : "notice.allowanceLowText"),
    action: isGuest
      ? { label: t("auth.signIn"), run: actions.signIn }
      : { label: t("record.toPlans"), run: actions.openPlans },
  });
}

/** The owner of the daily budget decides what helps: a larger plan, an account, or only waiting. */
function notifyBudgetExhausted(budget: "user" | "guest" | "site", actions: NoticeActions): void {
  const title = t("notice.modelBudgetExhausted");
  switch (budget) {
    case "user":
      toast({
        kind: "failure",
        title,
        description: t("notice.modelBudgetExhaustedText"),
        action: { label: t("record.toPlans"), run: actions.openPlans },
      });
      break;
    case "guest":
      toast({
        kind: "failure",
        title,
        description: t("notice.modelBudgetExhaustedGuestText"),
        action: { label: t("auth.signIn"), run: actions.signIn },
      });
      break;
    case "site":
      toastFailure(title, t("error.site_budget_exhausted"));
      break;
    default:
      budget satisfies never;
  }
}

/** Calls the recording saved only when it is. */
function notifyPaused(save: SaveState): void {
  const saved = save === "saved";
  toast({
    kind: saved ? "success" : "info",
    title: t(saved ? "notice.recordingPaused" : "notice.recordingPausedGuest"),
    ...(save === "local" && { description: t("notice.recordingPausedGuestText") }),
  });
}

type MicrophoneProblem = Extract<AlertKind, `microphone${string}`>;

/** Offers another microphone where there may be one, and another try. */
function alertMicrophoneProblem(kind: MicrophoneProblem, session: Recording): void {
  const retryLabel: MessageKey = kind === "microphoneLost" ? "record.continue" : "common.retry";
  // Without permission, or when the system's default is missing, there is no other one to choose.
  const canChooseAnother =
    kind === "microphoneMissing"
      ? session.view.get().microphoneId !== null
      : kind !== "microphoneDenied";
  const choose = { label: t("notice.microphoneChoose"), run: () => openDialog("settings") };
  const record = async () => {
    // A lost microphone stops the recording, and the stop may still be in progress.
    if (session.view.get().busy === "stopping") await session.stop();
    await session.record();
  };
  alertUser({
    title: t(`notice.${kind}`),
    text: t(`notice.${kind}Text`),
    actions: [
      ...(canChooseAnother ? [choose] : []),
      { label: t(retryLabel), run: () => void record() },
    ],
  });
}
