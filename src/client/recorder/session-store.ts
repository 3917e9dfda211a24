import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import {
  createEmptyState,
  createStateFromLecture,
  type InitialState,
} from "#client/lecture/initial-state.ts";
import type { LectureView, RecorderView } from "#client/lecture/lecture-document.ts";
import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import { Lectures } from "#client/lecture/lectures.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import type { RecognitionFailure } from "#client/recognition/browser/web-speech.ts";
import { SpeechModelError } from "#client/recognition/device/speech-model-messages.ts";
import type { RelayEnd } from "#client/recognition/room/relay-end.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import { NoticeSender, toEndNotice } from "#client/recorder/notices.ts";
import type { Microphone } from "#client/sound/capture/microphone.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { RelayAllowance } from "#shared/relay.ts";
import { Allowance } from "./allowance.ts";
import { LectureRecording } from "./lecture-recording.ts";
import { Recordings } from "./recordings.ts";
import { RoomAccess } from "./room-access.ts";
import type { RecordingSessionOptions, SessionPorts } from "./session-ports.ts";
import type { SessionView } from "./session-types.ts";

type Phase = "idle" | "starting" | "recording" | "saving" | "loading" | "disposed";

/** `idleStatus`: what the phase `idle` means, `ready` (nothing recorded) or `paused`. */
interface SessionState {
  readonly phase: Phase;
  readonly idleStatus: "ready" | "paused";
}

export type SessionEvent =
  | { type: "recordRequested" | "started" | "saveRequested" | "saveEnded" }
  | { type: "loadRequested" | "loaded" | "cleared" | "disposed" }
  /** `hasContent`: the open lecture has audio or text. */
  | { type: "startFailed" | "stopRequested" | "stopped" | "loadFailed"; hasContent: boolean };

export const initialSessionState: SessionState = { phase: "idle", idleStatus: "ready" };

/** For each event: the phases in which it applies, and what follows. `disposed` ends every phase. */
const transitions: Record<
  Exclude<SessionEvent["type"], "disposed">,
  { from: readonly Phase[]; phase?: Phase; idleStatus?: SessionState["idleStatus"] }
> = {
  recordRequested: { from: ["idle"], phase: "starting" },
  started: { from: ["starting"], phase: "recording" },
  startFailed: { from: ["starting"], phase: "idle" },
  // The last words come while the phase is `idle`.
  stopRequested: { from: ["starting", "recording"], phase: "idle" },
  stopped: { from: ["idle", "starting"] },
  // A recording that is being saved has stopped.
  saveRequested: { from: ["idle", "recording"], phase: "saving", idleStatus: "paused" },
  saveEnded: { from: ["saving"], phase: "idle" },
  // The command stops first. During `loading` a later load replaces an earlier one.
  loadRequested: { from: ["idle", "starting", "recording", "saving"], phase: "loading" },
  loaded: { from: ["loading"], phase: "idle", idleStatus: "paused" },
  cleared: { from: ["loading"], phase: "idle", idleStatus: "ready" },
  loadFailed: { from: ["loading"], phase: "idle" },
};

/** The next state; the same object when `event` does not apply. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  if (state.phase === "disposed") return state;
  if (event.type === "disposed") return { ...state, phase: "disposed" };
  const { from, phase = state.phase, idleStatus = state.idleStatus } = transitions[event.type];
  if (!from.includes(state.phase)) return state;
  const isPaused = "hasContent" in event && event.hasContent;
  return { phase, idleStatus: isPaused ? "paused" : idleStatus };
}

/** What the page shows of `state`. */
export function toStatus({
  phase,
  idleStatus,
}: SessionState): Pick<SessionView, "status" | "busy" | "canStop"> {
  return {
    status: phase === "recording" ? "recording" : idleStatus,
    busy: phase === "idle" || phase === "recording" || phase === "disposed" ? null : phase,
    canStop: phase === "starting" || phase === "recording",
  };
}

/** Of sound that nothing has begun to recognise, so much is normal while the connection works, ms. */
const normalUnheardMs = 8_000;
/** So much is normal where the connection does not work; until then a recording counts as behind that was, ms. */
const leastUnheardMs = 3_000;

const isBehind = (unheardMs: number, isExpected: boolean): boolean =>
  unheardMs > (isExpected ? leastUnheardMs : normalUnheardMs);

const isOfSaving = ({ kind }: LectureNotice): boolean =>
  kind === "saveFailed" ||
  kind === "summaryNotSaved" ||
  kind === "capacityReached" ||
  kind === "sessionExpired";

interface Deps {
  options: RecordingSessionOptions;
  api: SessionApi;
  ports: SessionPorts;
  microphone: Microphone;
  /** The open lecture's connection has ended for good; the notice was sent. */
  onEnd(): void;
  /** The browser's recognition of the open lecture has failed, and nothing captures its sound. */
  onUncaptured(reason: RecognitionFailure): void;
  /** A recording in the background was added or is finished. */
  onBackgroundChange(): void;
}

/**
 * Owns the session's phase, its recordings and its settings, and derives from them the view that
 * the page shows. Sends notices. Runs no commands: see `SessionCommands`.
 */
export class SessionStore {
  readonly view: Signal<SessionView>;
  readonly lectures: Lectures;
  readonly recordings: Recordings;
  readonly allowance: Allowance;
  readonly room: RoomAccess;
  readonly #notices: NoticeSender;
  #state = initialSessionState;
  #diarization: boolean;
  /** The room's last refusal was `guest_allowance_exhausted`. */
  #wasGuestRefused = false;
  #busySeconds: number | null = null;
  #speechEngine: SpeechEngine | null = null;
  #newFolderId: string | null = null;
  #unsavedSince: number | null = null;
  #isBehind = false;
  /** The current one when the view was last created. */
  #shownLecture: EditableLecture | null = null;
  /** Lectures whose deletion elsewhere was reported. */
  readonly #notifiedDeleted = new WeakSet<EditableLecture>();

  constructor(
    private readonly deps: Deps,
    initial: InitialState,
  ) {
    const { options, api, ports } = deps;
    this.#diarization = options.diarization;
    this.#notices = new NoticeSender(ports.log);
    this.room = new RoomAccess({ api, ports, identity: options.identity });
    this.allowance = new Allowance(options.allowance ?? null, ports.clock);
    this.lectures = new Lectures({
      api,
      ports,
      identity: options.identity,
      onChange: () => this.publish(),
      notify: (lecture, notice) => this.#notifyOfText(lecture, notice),
    });
    this.recordings = new Recordings(
      ports.clock,
      this.createRecording(initial),
      deps.onBackgroundChange,
    );
    this.view = new Signal(this.#createView());
  }

  get state(): SessionState {
    return this.#state;
  }
  get current(): LectureRecording {
    return this.recordings.current;
  }
  /** Closing the page now would lose something. */
  get hasUnsavedChanges(): boolean {
    return this.recordings.hasUnsavedChanges || this.lectures.hasUnsavedChanges;
  }

  onNotice(listener: (notice: SessionNotice) => void): () => void {
    return this.#notices.subscribe(listener);
  }

  notify(notice: SessionNotice): void {
    this.#notices.send(notice);
  }

  /** True when `event` changed the state. */
  dispatch(event: SessionEvent): boolean {
    const next = transition(this.#state, event);
    if (next === this.#state) return false;
    this.#state = next;
    if (next.phase === "starting") {
      this.allowance.reset();
      this.#notices.allowAgain("providerBusy", "recordingTakenOver");
    }
    this.publish();
    return true;
  }

  /** New lectures are created in folder `folderId`, the open one too while it is empty. */
  setNewFolder(folderId: string | null): void {
    this.#newFolderId = folderId;
    if (this.#state.phase === "idle" && !this.current.lecture.hasContent)
      this.current.lecture.newFolderId = folderId;
  }

  setSpeechEngine(engine: SpeechEngine): void {
    this.#speechEngine = engine;
    this.publish();
  }

  setDiarization(on: boolean): void {
    this.#diarization = on;
    this.publish();
  }

  /** Opens an empty lecture. With `keep` the previous one is finished in the background. */
  showEmptyLecture(keep = true): void {
    this.room.dropGuestTicket();
    const empty = createEmptyState(this.deps.ports.newId(), this.current.writer.languages);
    this.replaceLecture({ ...empty, newFolderId: this.#newFolderId }, keep);
  }

  /** Opens a lecture in place of the current one. `prepare` runs before the current one is left. */
  replaceLecture(
    initial: InitialState,
    keep = true,
    prepare: (next: LectureRecording) => void = () => {},
  ): void {
    const next = this.createRecording(initial);
    prepare(next);
    this.#notices.allowAgain("recordingTakenOver");
    this.recordings.replace(next, keep && this.deps.options.identity === "user");
    this.publish();
  }

  /**
   * Opens lecture `stored` in place of the current one. What this tab still holds of it knows more. `saveCount`: that
   * lecture's when `stored` was requested.
   */
  openStoredLecture(stored: Lecture, keep: boolean, saveCount?: number): void {
    const open = this.lectures.find(stored.id);
    if (open !== undefined && open.saveCount === saveCount) open.updateFrom(stored);
    if (this.recordings.reopen(stored.id) === null)
      this.replaceLecture(createStateFromLecture(stored), keep);
    else this.#notices.allowAgain("recordingTakenOver");
    this.publish();
  }

  /** The notice when the allowance is used up; null when it is not, or unknown. */
  async findExhaustedAllowance(signal: AbortSignal): Promise<SessionNotice | null> {
    if (this.deps.options.identity === "user") {
      if (!(await this.allowance.isExhausted(signal))) return null;
      return { kind: "monthlyLimitReached", limitHours: this.allowance.limitHours };
    }
    if (!this.#wasGuestRefused) return null;
    // The room still refuses, or does no longer.
    const code = await this.room.fetchRefusal(this.current.lectureId, signal);
    this.#wasGuestRefused = code === "guest_allowance_exhausted";
    return this.#wasGuestRefused ? { kind: "guestLimitReached" } : null;
  }

  /** The notice for a final refusal by the open lecture's room; null without one, or when unknown. */
  async findRefusal(outer: AbortSignal): Promise<SessionNotice | null> {
    const code = await this.room.fetchRefusal(this.current.lectureId, outer);
    // A lecture that does not exist yet has no room.
    if (code === null || code === "not_found") return null;
    const { options, ports } = this.deps;
    const { isFinalRefusal, toRefusedEnd } = await ports.loadLivePath();
    return isFinalRefusal(code)
      ? toEndNotice(toRefusedEnd(code), options.identity, this.allowance.limitHours)
      : null;
  }

  dispose(): void {
    this.recordings.dispose();
    this.lectures.dispose();
    this.room.dropGuestTicket();
    this.#notices.clear();
  }

  /** Updates `view` where something has changed. */
  publish(): void {
    const { phase, idleStatus } = this.#state;
    const recording = this.current;
    if (phase === "idle" && idleStatus === "paused" && recording.lecture.hasContent)
      recording.hasRecording = true;
    const isRoom = this.#speechEngine !== "browser" && this.#speechEngine !== "device";
    if (recording.connection === "idle" || (recording.connection === "live" && !isRoom))
      this.#busySeconds = null;
    const view = this.#createView();
    if (!isShallowEqual(view, this.view.get())) this.view.set(view);
  }

  /** Opens a lecture to be recorded beside the current one; `replaceLecture` makes it the current one. */
  createRecording(initial: InitialState): LectureRecording {
    const { options, ports } = this.deps;
    const recording: LectureRecording = new LectureRecording(
      {
        ports,
        identity: options.identity,
        userId: options.userId ?? null,
        keepsSound: () => options.keepsSound?.() ?? false,
        diarization: () => this.#diarization,
        path: (lectureId, takesOver) => this.room.getPath(lectureId, takesOver),
        onChange: () => this.publish(),
        onAllowance: (message) => this.#onAllowance(message),
        onBusy: (seconds) => this.#onBusy(recording, seconds),
        onEnd: (end) => this.#onEnd(recording, end),
        onStorageFull: () => {
          if (recording === this.current) this.notify({ kind: "storageFull" });
        },
        notify: (notice) => this.notify(notice),
        openSpeechModel: async (failed, language) => {
          const { openSpeechModel } = options.engines ?? {};
          if (openSpeechModel === undefined) throw new SpeechModelError("missing", "no models");
          return openSpeechModel(failed, language);
        },
        translatesInStream: (languages) =>
          options.engines?.translatesInStream?.(languages) ?? false,
        onRecognitionFailed: (reason) => {
          if (recording !== this.current || recording.takes.isCapturing) return;
          this.deps.onUncaptured(reason);
        },
      },
      this.lectures.open(initial, "recording"),
    );
    return recording;
  }

  #onEnd(recording: LectureRecording, end: RelayEnd): void {
    if (recording !== this.current) return;
    const { options, onEnd } = this.deps;
    const code = end.kind === "refused" ? end.code : null;
    this.#wasGuestRefused = code === "guest_allowance_exhausted";
    const notice = toEndNotice(end, options.identity, this.allowance.limitHours);
    if (code === "not_found") this.#onDeletedElsewhere(recording.lecture);
    else if (notice !== null) this.notify(notice);
    onEnd();
  }

  /** Of a lecture that nobody sees, only refused saving is reported. */
  #notifyOfText(lecture: EditableLecture, notice: LectureNotice): void {
    const isSeen = lecture === this.current.lecture || this.lectures.isShown(lecture);
    if (notice.kind === "lectureDeletedElsewhere") {
      if (isSeen) this.#onDeletedElsewhere(lecture);
    } else if (isSeen || isOfSaving(notice)) this.notify(notice);
  }

  /** Reported by the room and by saving, so one notice is sent. */
  #onDeletedElsewhere(lecture: EditableLecture): void {
    if (this.#notifiedDeleted.has(lecture)) return;
    this.#notifiedDeleted.add(lecture);
    this.notify({ kind: "lectureDeletedElsewhere", id: lecture.lectureId });
  }

  #onAllowance(message: RelayAllowance): void {
    if (message.type === "timer") {
      const { usedSeconds, limitSeconds } = message;
      this.allowance.update({ usedSeconds, limitSeconds });
      this.publish();
    } else if (this.allowance.shouldWarn()) {
      const { identity } = this.deps.options;
      this.notify({ kind: "allowanceLow", seconds: message.remainingSeconds, identity });
    }
  }

  #onBusy(recording: LectureRecording, seconds: number | null): void {
    if (recording !== this.current) return;
    this.#busySeconds = seconds;
    this.publish();
    if (this.#busySeconds !== null && toStatus(this.#state).canStop)
      this.notify({ kind: "providerBusy" });
  }

  /** Tells the current lecture what is done with it. Returns its view. */
  #showRecorder(recorder: RecorderView): LectureView {
    const { lecture } = this.current;
    if (this.#shownLecture !== lecture) this.#shownLecture?.showRecorder(null);
    this.#shownLecture = lecture;
    lecture.showRecorder(recorder);
    return lecture.view.get();
  }

  #createView(): SessionView {
    const recording = this.current;
    const { canStop, ...status } = toStatus(this.#state);
    const shown = this.#showRecorder({ ...status, recordedSeconds: recording.recordedSeconds });
    const { microphone, ports } = this.deps;
    const { saveState } = shown;
    this.#isBehind = isBehind(
      recording.takes.unheardMs,
      this.#isBehind || recording.connection !== "live",
    );
    if (saveState === "saved" || saveState === "local") this.#unsavedSince = null;
    else this.#unsavedSince ??= ports.clock.now();
    return {
      ...shown,
      canStop,
      hasRecording: recording.hasRecording,
      connection: recording.connection,
      speechEngine: this.#speechEngine,
      speechProblem: recording.speechProblem,
      waitingSeconds: recording.waitingSeconds,
      unsavedSince: this.#unsavedSince,
      unsentSeconds: recording.unsentSeconds,
      isBehind: this.#isBehind,
      usage: this.allowance.usage,
      busySeconds: this.#busySeconds,
      diarization: this.#diarization,
      microphone: microphone.state,
      microphoneId: microphone.deviceId,
      microphoneLabel: microphone.track?.label ?? "",
      storageState: recording.takes.storageState,
    };
  }
}
