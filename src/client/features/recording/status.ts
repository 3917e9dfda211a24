import type { LectureView, SaveState } from "#client/lecture/lecture-document.ts";
import { getRemainingSeconds } from "#client/recorder/allowance.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { allowanceLowMs } from "#shared/limits.ts";
import type { MessageKey } from "./messages/index.ts";

interface ShownStatus extends Pick<LectureView, "busy" | "status" | "lecture"> {
  /** The browser asks for the microphone. */
  isAsking: boolean;
  /** No recording time is left. */
  isOutOfTime: boolean;
}

/** What a lecture's status line says of its own state. */
export function getStatusMessage(view: ShownStatus): MessageKey {
  if (view.busy === "loading") return "record.loading";
  if (view.busy === "saving") return "record.saving";
  if (view.isAsking) return "record.askingMicrophone";
  if (view.busy === "starting") return "record.connecting";
  switch (view.status) {
    case "recording":
      return "record.recording";
    case "paused":
      return view.lecture?.status === "completed" ? "record.finished" : "record.paused";
    case "ready":
      return view.isOutOfTime ? "record.outOfTime" : "record.ready";
  }
}

/** What Record is called, which also continues. */
export const getRecordLabel = ({ status }: Pick<LectureView, "status">) =>
  status === "paused" ? "record.continue" : "record.start";

interface StatusWarning {
  key: MessageKey;
  values?: Record<string, number | string>;
  isUrgent?: true;
  /** Length of the sound that waits meanwhile. */
  unsentSeconds?: number;
}

const quietStates: readonly SessionView["microphone"][] = ["muted", "notDelivered", "silent"];

/** A warning while recording when the allowance is nearly used up. */
export function getAllowanceWarning({ status, usage }: SessionView): StatusWarning | null {
  const left = usage === null ? Number.POSITIVE_INFINITY : getRemainingSeconds(usage);
  if (status !== "recording" || left * 1_000 > allowanceLowMs) return null;
  const minutes = Math.ceil(left / 60);
  return minutes > 1
    ? { key: "record.minutesLow", values: { minutes }, isUrgent: true }
    : { key: "record.lastMinute", isUrgent: true };
}

/** The most important warning to show beside the status; null when there is none. */
export function getStatusWarning(view: SessionView): StatusWarning | null {
  const unsent = view.isBehind ? { unsentSeconds: view.unsentSeconds } : {};
  const waiting: StatusWarning | null = view.isBehind
    ? { key: "record.waiting", values: { seconds: view.unsentSeconds } }
    : null;
  if (view.storageState === "memoryFull") return { key: "record.memoryFull", isUrgent: true };
  if (view.status === "recording" && quietStates.includes(view.microphone)) {
    return { key: "record.microphoneMuted", isUrgent: true };
  }
  if (view.storageState === "full") return { key: "record.storageFull", isUrgent: true };
  if (view.status === "recording" && view.speechProblem !== null) {
    return { key: "record.noWords", isUrgent: true };
  }
  if (view.status === "paused" && view.waitingSeconds > 0) {
    return { key: "record.noWordsYet", values: { seconds: view.waitingSeconds }, isUrgent: true };
  }
  if (view.busySeconds !== null) {
    const values = { wait: view.busySeconds };
    return { key: "record.providerBusy", values, isUrgent: true, ...unsent };
  }
  if (view.connection === "live") {
    const low = getAllowanceWarning(view);
    if (low !== null) return low;
  }
  if (view.speechEngine === "device") return getDeviceWarning(view);
  switch (view.connection) {
    case "reconnecting":
      return { key: "record.reconnecting", ...unsent };
    case "draining":
      return { key: "record.draining" };
    case "connecting":
      // That it connects, the status says.
      return waiting ?? (view.busy === "starting" ? null : { key: "record.connecting" });
    case "live":
    case "idle":
      return waiting;
  }
}

/** A model on this device needs no connection; it may need time. */
function getDeviceWarning({
  connection,
  isBehind,
  unsentSeconds,
}: SessionView): StatusWarning | null {
  if (connection === "connecting" || connection === "reconnecting")
    return { key: "record.loadingModel" };
  if (connection === "idle" || !isBehind) return null;
  return { key: "record.behind", values: { seconds: unsentSeconds } };
}

/** Usual saves take a few seconds and are not shown; after this time the page says what is not saved. */
export const unsavedShownMs = 15_000;

/**
 * What the page says of saving: that all is saved until something has waited for 15 s or has failed. `recording`: of what
 * this device records, whose sound it keeps until its words are saved; null: nothing of it is.
 */
export function getShownSaveState(
  { saveState, busy, unsavedSince }: Pick<SessionView, "saveState" | "busy" | "unsavedSince">,
  recording: Pick<
    SessionView,
    "status" | "connection" | "isBehind" | "speechProblem" | "waitingSeconds"
  > | null,
  nowMs: number,
): "local" | "saved" | "saving" | "device" | "unsaved" | "retrying" {
  if (busy === "saving") return "saving";
  if (saveState === "failed") return "unsaved";
  if (saveState === "local") return "local";
  if (recording && isOnDevice(recording, saveState)) return "device";
  if (saveState === "retrying") return "retrying";
  const isSaved = saveState === "saved" || unsavedSince === null;
  return !isSaved && nowMs - unsavedSince >= unsavedShownMs ? "unsaved" : "saved";
}

/** Whether sound, or words whose sound is kept, is on this device alone for now. */
function isOnDevice(
  {
    status,
    connection,
    isBehind,
    speechProblem,
    waitingSeconds,
  }: Pick<SessionView, "status" | "connection" | "isBehind" | "speechProblem" | "waitingSeconds">,
  saveState: SaveState,
): boolean {
  if (waitingSeconds > 0 || isBehind) return true;
  return (
    status === "recording" &&
    (speechProblem !== null || connection === "reconnecting" || saveState === "retrying")
  );
}
