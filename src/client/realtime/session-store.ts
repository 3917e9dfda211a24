import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { RelayAllowance } from "#shared/relay.ts";
import { Allowance } from "./allowance.ts";
import type { Microphone } from "./audio/microphone.ts";
import { BackgroundLectures } from "./background-lectures.ts";
import { SpeechModelError } from "./device-speech/speech-model-messages.ts";
import {
  createEmptyState,
  createStateFromLecture,
  type InitialState,
} from "./lecture/initial-state.ts";
import type { LectureNotice, SessionNotice } from "./notices.ts";
import { NoticeSender, toEndNotice } from "./notices.ts";
import { OpenLecture } from "./open-lecture.ts";
import type { RecognitionFailure } from "./recognition/web-speech.ts";
import type { RelayEnd } from "./relay/relay-end.ts";
import { RoomAccess } from "./relay/room-access.ts";
import type { SessionApi } from "./server-api.ts";
import type { RecordingSessionOptions, SessionPorts } from "./session-ports.ts";
import {
  initialSessionState,
  type SessionEvent,
  type SessionState,
  toStatus,
  transition,
} from "./session-state.ts";
import type { SessionView, SpeechEngine } from "./session-types.ts";

/** Of sound that nothing has begun to recognise, so much is normal while the connection works, ms. */
const normalUnheardMs = 8_000;
/** So much is normal where the connection does not work; until then a recording counts as behind that was, ms. */
const leastUnheardMs = 3_000;

const isBehind = (unheardMs: number, isExpected: boolean): boolean =>
  unheardMs > (isExpected ? leastUnheardMs : normalUnheardMs);

interface Deps {
  options: RecordingSessionOptions;
  api: SessionApi;
  ports: SessionPorts;
  microphone: Microphone;
  /** The open lecture's connection has ended for good; the notice was sent. */
  onEnd(): void;
  /** The browser's recognition of the open lecture has failed, and nothing captures its sound. */
  onUncaptured(reason: RecognitionFailure): void;
  /** A background lecture was added or is finished. */
  onBackgroundChange(): void;
}

/**
 * Owns the session's phase, the open lecture and its settings, and derives from them the view that
 * the page shows. Sends notices. Runs no commands: see `SessionCommands`.
 */
export class SessionStore {
  readonly view: Signal<SessionView>;
  readonly lectures: BackgroundLectures;
  readonly allowance: Allowance;
  readonly room: RoomAccess;
  readonly #notices: NoticeSender;
  #state = initialSessionState;
  #diarization: boolean;
  /** The room's last refusal was `guest_allowance_exhausted`. */
  #wasGuestRefused = false;
  #busySeconds: number | null = null;
  /** Entered by the person while a lecture is being opened: context and language of that lecture. */
  #nextContext: string | null = null;
  #nextLanguages: Partial<LanguagePair> = {};
  #speechEngine: SpeechEngine | null = null;
  #newFolderId: string | null = null;
  #unsavedSince: number | null = null;
  #isBehind = false;
  /** Lectures whose deletion elsewhere was reported. */
  readonly #notifiedDeleted = new WeakSet<OpenLecture>();

  constructor(
    private readonly deps: Deps,
    initial: InitialState,
  ) {
    const { options, api, ports } = deps;
    this.#diarization = options.diarization;
    this.#notices = new NoticeSender(ports.log);
    this.room = new RoomAccess({ api, ports, identity: options.identity });
    this.allowance = new Allowance(options.allowance ?? null, ports.clock);
    this.lectures = new BackgroundLectures(
      ports.clock,
      this.createOpenLecture(initial),
      deps.onBackgroundChange,
    );
    this.view = new Signal(this.#createView());
  }

  get state(): SessionState {
    return this.#state;
  }
  get current(): OpenLecture {
    return this.lectures.current;
  }
  /** Closing the page now would lose something. */
  get hasUnsavedChanges(): boolean {
    if (this.#nextContext !== null || Object.keys(this.#nextLanguages).length > 0) return true;
    return this.lectures.hasUnsavedChanges;
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
    if (next.phase === "idle") this.#applyNextSettings();
    this.publish();
    return true;
  }

  setLanguages(change: Partial<LanguagePair>): void {
    if (this.#state.phase === "loading") {
      this.#nextLanguages = { ...this.#nextLanguages, ...change };
      this.publish();
    } else this.current.document.setLanguages(change);
  }

  setContext(text: string): void {
    if (this.#state.phase === "loading") {
      this.#nextContext = text;
      this.publish();
    } else this.current.details.context.set(text);
  }

  /** New lectures are created in folder `folderId`, the open one too while it is empty. */
  setNewFolder(folderId: string | null): void {
    this.#newFolderId = folderId;
    if (this.#state.phase === "idle" && !this.current.document.hasContent)
      this.current.document.newFolderId = folderId;
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
    prepare: (next: OpenLecture) => void = () => {},
  ): void {
    const next = this.createOpenLecture(initial);
    prepare(next);
    this.#notices.allowAgain("recordingTakenOver");
    this.lectures.replace(next, keep && this.deps.options.identity === "user");
    this.publish();
  }

  /**
   * Opens lecture `stored`, or what this tab still holds of it in the background, which knows more. `saveCount`: that
   * lecture's when `stored` was requested.
   */
  openStoredLecture(stored: Lecture, keep: boolean, saveCount?: number): void {
    const held = this.lectures.reopen(stored.id);
    if (held === null) {
      this.replaceLecture(createStateFromLecture(stored), keep);
      return;
    }
    if (held.stored.saveCount === saveCount) held.document.updateFrom(stored);
    this.#notices.allowAgain("recordingTakenOver");
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
    this.lectures.dispose();
    this.room.dropGuestTicket();
    this.#notices.clear();
  }

  /** Updates `view` where something has changed. */
  publish(): void {
    const { phase, idleStatus } = this.#state;
    const lecture = this.current;
    if (phase === "idle" && idleStatus === "paused" && lecture.document.hasContent)
      lecture.hasRecording = true;
    const isRoom = this.#speechEngine !== "browser" && this.#speechEngine !== "device";
    if (lecture.connection === "idle" || (lecture.connection === "live" && !isRoom))
      this.#busySeconds = null;
    lecture.document.publish();
    const view = this.#createView();
    if (!isShallowEqual(view, this.view.get())) this.view.set(view);
  }

  #applyNextSettings(): void {
    if (this.#nextContext !== null) this.current.details.context.set(this.#nextContext);
    this.current.document.setLanguages(this.#nextLanguages);
    this.#nextContext = null;
    this.#nextLanguages = {};
  }

  /** Creates a lecture beside the open one; `replaceLecture` opens it. */
  createOpenLecture(initial: InitialState): OpenLecture {
    const { options, api, ports } = this.deps;
    const lecture: OpenLecture = new OpenLecture(
      {
        api,
        ports,
        identity: options.identity,
        userId: options.userId ?? null,
        keepsSound: () => options.keepsSound?.() ?? false,
        diarization: () => this.#diarization,
        path: (lectureId, takesOver) => this.room.getPath(lectureId, takesOver),
        onChange: () => this.publish(),
        onAllowance: (message) => this.#onAllowance(message),
        onBusy: (seconds) => this.#onBusy(lecture, seconds),
        onEnd: (end) => this.#onEnd(lecture, end),
        onStorageFull: () => {
          if (lecture === this.current) this.notify({ kind: "storageFull" });
        },
        notify: (notice) => this.#notifyOfText(lecture, notice),
        notifyOfSound: (notice) => this.notify(notice),
        openSpeechModel: async (hasFailed, language) => {
          const { openSpeechModel } = options.engines ?? {};
          if (openSpeechModel === undefined) throw new SpeechModelError("missing", "no models");
          return openSpeechModel(hasFailed, language);
        },
        onRecognitionFailed: (reason) => {
          if (lecture !== this.current || lecture.takes.isCapturing) return;
          this.deps.onUncaptured(reason);
        },
      },
      initial,
    );
    return lecture;
  }

  #onEnd(lecture: OpenLecture, end: RelayEnd): void {
    if (lecture !== this.current) return;
    const { options, onEnd } = this.deps;
    const code = end.kind === "refused" ? end.code : null;
    this.#wasGuestRefused = code === "guest_allowance_exhausted";
    const notice = toEndNotice(end, options.identity, this.allowance.limitHours);
    if (code === "not_found") this.#onDeletedElsewhere(lecture);
    else if (notice !== null) this.notify(notice);
    onEnd();
  }

  /** Of a lecture in the background, only refused saving is reported. */
  #notifyOfText(lecture: OpenLecture, notice: LectureNotice): void {
    const isSaving = ["saveFailed", "capacityReached", "sessionExpired"].includes(notice.kind);
    if (notice.kind === "lectureDeletedElsewhere") this.#onDeletedElsewhere(lecture);
    else if (isSaving || lecture === this.current || this.lectures.isRead(lecture))
      this.notify(notice);
  }

  /** Reported by the room and by saving, so one notice is sent. Ignored for background lectures. */
  #onDeletedElsewhere(lecture: OpenLecture): void {
    if (lecture !== this.current || this.#notifiedDeleted.has(lecture)) return;
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

  #onBusy(lecture: OpenLecture, seconds: number | null): void {
    if (lecture !== this.current) return;
    this.#busySeconds = seconds;
    this.publish();
    if (this.#busySeconds !== null && toStatus(this.#state).canStop)
      this.notify({ kind: "providerBusy" });
  }

  #createView(): SessionView {
    const lecture = this.current;
    const shown = lecture.document.view.get();
    const { microphone, ports } = this.deps;
    const { saveState } = shown;
    this.#isBehind = isBehind(
      lecture.takes.unheardMs,
      this.#isBehind || lecture.connection !== "live",
    );
    if (saveState === "saved" || saveState === "local") this.#unsavedSince = null;
    else this.#unsavedSince ??= ports.clock.now();
    return {
      ...shown,
      ...toStatus(this.#state),
      hasRecording: lecture.hasRecording,
      connection: lecture.connection,
      speechEngine: this.#speechEngine,
      speechProblem: lecture.speechProblem,
      waitingSeconds: lecture.waitingSeconds,
      unsavedSince: this.#unsavedSince,
      recordedSeconds: lecture.recordedSeconds,
      unsentSeconds: lecture.unsentSeconds,
      isBehind: this.#isBehind,
      usage: this.allowance.usage,
      busySeconds: this.#busySeconds,
      ...this.#nextLanguages,
      diarization: this.#diarization,
      context: this.#nextContext ?? shown.context,
      microphone: microphone.state,
      microphoneId: microphone.deviceId,
      microphoneLabel: microphone.track?.label ?? "",
      storageState: lecture.takes.storageState,
    };
  }
}
