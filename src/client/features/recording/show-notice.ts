import { getLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { browserClock } from "#client/lib/clock.ts";
import {
  type AlertMessage,
  alertUser,
  type ToastMessage,
  toast,
  toastFailure,
  withdrawAlert,
} from "#client/lib/notifications.ts";
import { formatReset, getDayEnd } from "#client/lib/reset-times.ts";
import { t as tReading } from "#client/reading/dialog-messages/index.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import { showTextNotice } from "#client/reading/show-text-notice.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { openSources, soundChoice } from "#client/sound/display/sound-sources.ts";
import { canRecognize } from "#client/state/engines.ts";
import { shouldTellOfKeptSound } from "#client/state/keep-sound-setting.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { refetchQueries } from "#client/state/queries.tsx";
import { setRawMicrophone, shouldTellOfQuietSpeech } from "#client/state/raw-microphones.ts";
import { hasGuestTranscript } from "#client/state/recording.ts";
import { getSiteInfo, hasPlans } from "#client/state/site-info.ts";
import { getUserId } from "#client/state/visitor.ts";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { getLanguageName, getTranslationTag } from "#shared/languages.ts";
import { t } from "./dialog-messages/index.ts";
import { notifyMissingSound } from "./missing-sound.ts";
import { openDialog, speechOffer } from "./screen-state.ts";

export interface NoticeActions {
  openPlans(): void;
  signIn(): void;
  openTrash(): void;
}

export function notify(notice: SessionNotice, session: RecordingSession, actions: NoticeActions) {
  const toPlans = hasPlans() ? { label: t("record.toPlans"), run: actions.openPlans } : null;
  const signIn = { label: t("auth.signIn"), run: actions.signIn };
  switch (notice.kind) {
    case "recordingStarted":
    case "recordingResumed":
      speechOffer.set(null);
      if (microphoneAlert !== null) withdrawAlert(microphoneAlert);
      microphoneAlert = null;
      return toast({
        kind: "success",
        title: t(`notice.${notice.kind}`),
        // A guest's sound is not kept.
        ...(getUserId() !== null &&
          shouldTellOfKeptSound() && { description: t("notice.soundIsKept") }),
        state: "recording",
      });
    case "newLectureCreated":
    case "newLectureReadyGuest":
      return toast({ kind: "success", title: t(`notice.${notice.kind}`) });
    case "recordingStopped":
    case "finalizingTranslations":
      return toast({ kind: "info", title: t(`notice.${notice.kind}`), state: "recording" });
    case "recordingPaused":
      return notifyPaused(session, notice);
    case "lectureSaved": {
      const { words, unsentSeconds: seconds } = notice;
      const text = seconds > 0 ? "notice.lectureSavedWaitingText" : "notice.lectureSavedText";
      const description = t(text, { words, seconds });
      return toast({ kind: "success", title: t("notice.lectureSaved"), description });
    }
    case "noActiveLecture":
    case "recordingTakenOver":
      return toastInfo(t(`notice.${notice.kind}`), t(`notice.${notice.kind}Text`));
    case "soundMissing":
      return notifyMissingSound(notice.seconds);
    case "soundRecovered":
      return toastInfo(t("notice.soundRecovered"), t("notice.soundRecoveredText", notice));
    case "translationNotInStream": {
      const language = getLanguageName(getTranslationTag(notice.language), getLanguage());
      return toastInfo(
        t("notice.translationNotInStream", { language }),
        t("notice.translationNotInStreamText"),
      );
    }
    case "providerBusy":
      // The status bar says it.
      if (canRecognize()) speechOffer.set("busy");
      return;
    case "signInRequired":
      if (notice.for === "save" && hasGuestTranscript()) return openDialog("keep");
      return toastInfo(t("notice.signInRequired"), t(signInTexts[notice.for]));
    case "allowanceLow": {
      const minutes = Math.ceil(notice.seconds / 60);
      const isGuest = notice.identity === "guest";
      return toast({
        kind: "info",
        title: minutes > 1 ? t("record.minutesLow", { minutes }) : t("record.lastMinute"),
        description: t(isGuest ? "notice.allowanceLowGuestText" : "notice.allowanceLowText"),
        ...withAction(isGuest ? signIn : toPlans),
      });
    }
    case "monthlyLimitReached":
    case "guestLimitReached": {
      speechOffer.set("limit");
      const values =
        "limitHours" in notice
          ? { hours: notice.limitHours }
          : { date: formatReset(getDayEnd(browserClock.now()), getLanguage()) };
      return toast({
        kind: "failure",
        title: t(`notice.${notice.kind}`),
        description:
          notice.kind === "guestLimitReached" || toPlans
            ? t(`notice.${notice.kind}Text`, values)
            : t("error.allowance_exhausted"),
        ...withAction(notice.kind === "guestLimitReached" ? signIn : toPlans),
      });
    }
    case "microphoneReplaced":
      return toast({
        kind: "info",
        title: notice.label
          ? t("notice.microphoneReplaced", { microphone: notice.label })
          : t("notice.microphoneReplacedUnnamed"),
      });
    case "speechQuiet":
      return proposeRawSound(notice.deviceId);
    case "notSupported":
    case "guestTicketRefused":
    case "microphoneChangeFailed":
    case "codeNotLoaded":
    case "lectureNotFound":
    case "storageFull":
    case "soundNotKept":
    case "soundUnreadable":
      return toastFailure(t(`notice.${notice.kind}`), t(`notice.${notice.kind}Text`));
    case "folderMissing":
      return toastFormFailure(t("notice.folderMissing"), t("notice.folderMissingText"));
    case "createLectureFailed":
    case "startFailed":
      return toastFailure(t("common.error"), t(`notice.${notice.kind}`));
    case "startTimedOut":
      return toastFailure(t("notice.startFailed"), t("notice.startTimedOut"));
    case "loadFailed":
      return notice.code
        ? toastFailure(t("notice.loadRefused"), t(`error.${notice.code}`))
        : toastFailure(t("notice.loadFailed"), t("notice.loadFailedText"));
    case "notShared":
    case "noSound":
      return alertDisplayProblem(notice.kind, session);
    case "microphoneDenied":
    case "microphoneMissing":
    case "microphoneBusy":
    case "microphoneLost":
      if (notice.kind === "microphoneLost" && openSources.get().length > 0)
        return alertDisplayProblem("displayLost", session);
      return alertMicrophoneProblem(notice.kind, session);
    case "lectureDeletedElsewhere":
      // The page that shows it finds that out by itself.
      if (notice.id !== session.view.get().lecture?.id)
        return refetchQueries(queryKeys.lecture(notice.id));
      return alertUser({
        title: t("notice.lectureNotFound"),
        text: t("notice.deletedElsewhereText"),
        actions: [
          { label: t("notice.deletedToTrash"), run: actions.openTrash },
          { label: t("notice.deletedKeep"), run: () => void session.keepAsNewLecture(notice.id) },
        ],
      });
    case "recordingRefused":
      if (notice.code === "transcription_failed")
        return alertProviderError(t("error.transcription_failed"));
      return alertUser({ title: t("provider.title"), text: t(`error.${notice.code}`) });
    case "providerError":
      return alertProviderError(notice.message);
    case "providerDisconnected": {
      const reason = notice.reason || t("provider.unknown");
      const values = { provider: nameProvider(), code: notice.code, reason };
      return alertUser({ title: t("provider.disconnected", values) });
    }
    default:
      return showTextNotice(notice, { ...actions, openPlans: toPlans?.run ?? null });
  }
}

function proposeRawSound(deviceId: string): void {
  if (!shouldTellOfQuietSpeech(deviceId)) return;
  toast({
    kind: "info",
    title: t("notice.speechQuiet"),
    description: t("notice.speechQuietText"),
    action: { label: t("notice.hearRaw"), run: () => setRawMicrophone(deviceId, true) },
  });
}

const withAction = (action: ToastMessage["action"] | null) => action && { action };

const signInTexts = {
  lectures: "notice.signInLectures",
  save: "notice.signInRequiredText",
  summary: "notice.signInSummary",
} as const;

function nameProvider(): string {
  const info = getSiteInfo();
  if (info?.standIns.speech) return t("provider.demo");
  const service = info?.speechService ?? "Soniox";
  const isOwn = service === "localServer" || service === "ownServer";
  return isOwn ? t(`provider.${service}`) : service;
}

const toastInfo = (title: string, description: string) =>
  toast({ kind: "info", title, description });

const alertProviderError = (message: string) =>
  alertUser({ title: t("provider.error", { provider: nameProvider(), message }) });

/** Calls the recording saved only when it is. */
function notifyPaused(
  session: RecordingSession,
  { isSaved, untranslated }: Extract<SessionNotice, { kind: "recordingPaused" }>,
): void {
  let description = "";
  if (session.view.get().saveState === "local") description = t("notice.recordingPausedGuestText");
  else if (untranslated > 0) description = t("notice.untranslated", { count: untranslated });
  const improve = {
    label: tReading("reading.improve"),
    run: () => readingDialog.set({ kind: "improve" }),
  };
  toast({
    kind: isSaved ? "success" : "info",
    title: t(isSaved ? "notice.recordingPaused" : "notice.recordingPausedGuest"),
    state: "recording",
    ...(description !== "" && { description }),
    ...(isSaved && untranslated === 0 && canImprove(session.lecture.get()) && { action: improve }),
  });
}

/** A shorter lecture needs no second pass. */
const improvedRowsMin = 20;

/** The lecture has terms, and the site a model that could translate it again as a whole. */
function canImprove({ terms, transcript }: LectureDocument): boolean {
  const info = getSiteInfo();
  const rows = transcript.blocks.get().reduce((sum, block) => sum + block.rows.length, 0);
  const isReal = info !== null && (!info.standIns.llm || info.isDemoDefault);
  return isReal && !info.lacksModel && rows >= improvedRowsMin && terms.get().length > 0;
}

/** Before a recording, or after its sound has ended: another tab, or the microphone alone, is one click away. */
function alertDisplayProblem(
  kind: "notShared" | "noSound" | "displayLost",
  session: RecordingSession,
): void {
  alertUser({
    title: t(`notice.${kind}`),
    text: t(`notice.${kind}Text`),
    actions: [
      {
        label: t("notice.useMicrophone"),
        run() {
          soundChoice.set(null);
          void session.record();
        },
      },
      { label: t("notice.chooseAgain"), run: () => void session.record() },
    ],
  });
}

/** Over once a recording goes on, which may be without the person. */
let microphoneAlert: AlertMessage | null = null;

type MicrophoneProblem = `microphone${"Denied" | "Missing" | "Busy" | "Lost"}`;

/** Offers another microphone where there may be one, and another try. */
function alertMicrophoneProblem(kind: MicrophoneProblem, session: RecordingSession): void {
  // Without permission, or when the system's default is missing, there is no other one to choose.
  const canChooseAnother =
    kind === "microphoneMissing"
      ? session.view.get().microphoneId !== null
      : kind !== "microphoneDenied";
  const choose = { label: t("notice.microphoneChoose"), run: () => openDialog("settings") };
  const retry = {
    label: t(kind === "microphoneLost" ? "record.continue" : "common.retry"),
    run: () => void session.record(),
  };
  microphoneAlert = {
    title: t(`notice.${kind}`),
    text: t(`notice.${kind}Text`),
    actions: canChooseAnother ? [choose, retry] : [retry],
  };
  alertUser(microphoneAlert);
}
