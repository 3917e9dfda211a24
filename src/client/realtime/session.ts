import { isTargetLanguage, type TargetLanguage } from "../../shared/languages.ts";
import { saveWaitMs, stopWaitMs } from "../../shared/limits.ts";
import type { AudioEncoding } from "../../shared/relay.ts";
import { browserPorts } from "./browser/ports.ts";
import {
  ApiError,
  type RecordingSession,
  type SessionApi,
  type SessionNotice,
  type SessionView,
  type TranscriptView,
} from "./contract.ts";
import { noticeOfEnd, noticeOfLoad } from "./notices.ts";
import { blank, type Opening, opened } from "./opening.ts";
import { patiently, SerialQueue } from "./patience.ts";
import type { SessionPorts } from "./ports.ts";
import { Recorder } from "./recorder.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";
import { RoomAddress } from "./room-address.ts";
import { initialState, type SessionEvent, shown, transition } from "./session-machine.ts";
import { Shelf } from "./shelf.ts";
import { Signal } from "./signal.ts";
import { savedTitle } from "./titles.ts";
import { Workspace } from "./workspace.ts";

export interface RecordingSessionOptions {
  api: SessionApi;
  identity: "user" | "guest";
  targetLanguage: TargetLanguage;
  diarization: boolean;
  /** How sound is sent; `binary` unless told otherwise. A room that does not confirm it gets base64. */
  audio?: AudioEncoding;
  /** The month's allowance in hours, for as long as no room has told it; 1 unless told otherwise. */
  limitHours?: number;
  /** What stands in for the browser's own. */
  ports?: Partial<SessionPorts>;
}

/** Left-over sound that nobody came back for is forgotten after this. */
const spoolKeepMs = 30 * 24 * 3_600_000;

/** A recording session in a browser (or on the ports given). It starts nothing by itself. */
export function createRecordingSession(options: RecordingSessionOptions): RecordingSession {
  return new Session(options);
}

class Session implements RecordingSession {
  readonly view: Signal<SessionView>;
  readonly transcript: TranscriptView;
  readonly level: { read(): number };
  readonly #options: RecordingSessionOptions;
  readonly #api: SessionApi;
  readonly #ports: SessionPorts;
  readonly #shelf: Shelf;
  readonly #recorder: Recorder;
  readonly #address: RoomAddress;
  readonly #operations: SerialQueue;
  readonly #listeners = new Set<(notice: SessionNotice) => void>();
  readonly #leavePage: (() => void)[];
  #state = initialState;
  #starting: AbortController | null = null;
  /** Counts loads and resets, so that an overtaken one shows nothing. */
  #visit = 0;
  #language: TargetLanguage;
  #diarization: boolean;
  #usage: SessionView["usage"] = null;

  constructor(options: RecordingSessionOptions) {
    this.#options = options;
    this.#api = options.api;
    this.#ports = { ...browserPorts(), ...options.ports };
    this.#language = options.targetLanguage;
    this.#diarization = options.diarization;
    const { api, identity } = options;
    const { clock, log, page, spool } = this.#ports;
    this.#operations = new SerialQueue(log);
    this.#address = new RoomAddress({ api, ports: this.#ports, identity });
    this.#recorder = new Recorder({
      api,
      ports: this.#ports,
      identity,
      language: () => this.#language,
      onChange: () => this.#show(),
      onLost: () => {
        this.#notify({ kind: "microphoneLost" });
        void this.stop();
      },
      onFinalizing: () => this.#notify({ kind: "finalizingTranslations" }),
    });
    this.#shelf = new Shelf(this.#open(this.#blank()));
    this.transcript = this.#shelf.transcript;
    this.view = new Signal(this.#look());
    this.level = { read: () => this.#recorder.microphone.level() };
    this.#leavePage = [
      page.onWake(() => this.wake()),
      page.onHide(() => this.#shelf.flush(saveWaitMs)),
    ];
    spool?.sweep(clock.now() - spoolKeepMs).catch(() => log.warn("spool not swept"));
  }

  onNotice(listener: (notice: SessionNotice) => void): () => void {
    const own = (notice: SessionNotice) => listener(notice);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  record(): Promise<void> {
    if (!this.#send({ type: "recordAsked" })) return this.#operations.tail;
    const starting = new AbortController();
    this.#starting = starting;
    return this.#run(() => this.#start(starting));
  }

  stop(): Promise<void> {
    if (!this.#send({ type: "stopAsked" })) return this.#operations.tail;
    this.#starting?.abort();
    return this.#run(async () => {
      const ran = await this.#recorder.halt(this.#current, stopWaitMs);
      this.#send({ type: "stopped", content: this.#resumable });
      if (ran) this.#notify({ kind: "recordingPaused" });
    });
  }

  canSave(): boolean {
    const kind = this.#unsavable();
    if (kind === null) return true;
    this.#notify({ kind });
    return false;
  }

  save(title: string): Promise<void> {
    const { phase } = this.#state;
    if ((phase !== "resting" && phase !== "recording") || !this.canSave())
      return this.#operations.tail;
    this.#send({ type: "saveAsked" });
    return this.#run(async () => {
      await this.#recorder.halt(this.#current, saveWaitMs);
      const saved = await this.#complete(title);
      if (!saved) {
        this.#send({ type: "saveFailed" });
        this.#notify({ kind: "saveFailed" });
      }
    });
  }

  load(id: string): Promise<void> {
    return this.#visitWith(async (isCurrent) => {
      const before = this.#current;
      // The server's copy must not be older than what is on the page.
      if (before.recordingId === id && before.created && !(await before.flush(saveWaitMs))) {
        throw new ApiError("unavailable", true);
      }
      if (!(await this.#shelf.end(id, saveWaitMs))) throw new ApiError("unavailable", true);
      const { spool, log } = this.#ports;
      const [lecture, release] = await Promise.all([
        this.#api.getLecture(id),
        this.#ports.claim(id),
      ]);
      // Another page that records this lecture needs its spool for itself.
      const spooled =
        release === null
          ? null
          : await (spool?.read(id) ?? null)?.catch(() => {
              log.warn("spool not read");
              return null;
            });
      release?.();
      if (!isCurrent()) return;
      const opening = opened(lecture, spooled ?? null);
      this.#language = opening.language;
      this.#replace(opening);
      this.#send({ type: "loaded" });
      this.#current.recover();
    });
  }

  reset(options: { quiet?: boolean } = {}): Promise<void> {
    return this.#visitWith(async () => {
      this.#clear();
      this.#send({ type: "cleared" });
      if (options.quiet === true) return;
      const guest = this.#options.identity === "guest";
      this.#notify({ kind: guest ? "newLectureReadyGuest" : "newLectureCreated" });
    });
  }

  setTargetLanguage(language: TargetLanguage): void {
    if (language === this.#language || !isTargetLanguage(language)) return;
    this.#language = language;
    this.#current.setLanguage(language);
    this.#show();
  }

  setDiarization(on: boolean): void {
    this.#diarization = on;
    this.#show();
  }

  retryTranslation(position: number): void {
    this.#current.transcript.retry(position);
  }

  wake(): void {
    if (this.#state.phase === "disposed") return;
    this.#shelf.wake();
    this.#shelf.flush(saveWaitMs);
  }

  hasUnsavedChanges(): boolean {
    if (this.#state.phase === "disposed") return false;
    return this.#recorder.capturing || this.#shelf.unsaved;
  }

  dispose(): void {
    if (!this.#send({ type: "disposed" })) return;
    this.#starting?.abort();
    this.#recorder.dispose();
    for (const leave of this.#leavePage) leave();
    this.#shelf.dispose();
    this.#address.forget();
    this.#listeners.clear();
  }

  get #current(): Workspace {
    return this.#shelf.current;
  }

  /** There is sound or text to go on with. */
  get #resumable(): boolean {
    return this.#current.hasContent || this.#current.recordedSeconds > 0;
  }

  async #start(starting: AbortController): Promise<void> {
    const workspace = this.#current;
    const resumed = this.#state.resting === "paused" && this.#resumable;
    const failure = await this.#recorder.start(workspace, starting);
    if (this.#starting === starting) this.#starting = null;
    if (this.#state.phase !== "starting") return;
    if (failure === null) {
      this.#send({ type: "started" });
      this.#notify({ kind: resumed ? "recordingResumed" : "recordingStarted" });
      return;
    }
    await this.#recorder.silence();
    // The next start must not begin with the sound of this one.
    if (workspace.created || workspace.hasContent) {
      await this.#recorder.halt(workspace, stopWaitMs);
    } else this.#clear();
    this.#send({ type: "startFailed" });
    this.#notify(failure);
  }

  /** Saves under a name and clears the screen. */
  async #complete(typed: string): Promise<boolean> {
    const workspace = this.#current;
    const { clock } = this.#ports;
    const { lecture, transcript } = workspace;
    // Sound without words is given its time after the lecture has left the screen.
    if (workspace.connection !== "draining") workspace.abandon();
    if (lecture === null || !(await workspace.flush(saveWaitMs))) return false;
    const title = savedTitle(typed, transcript.store.english(), lecture.title, clock.now());
    try {
      await patiently(clock, () => this.#api.completeLecture({ id: lecture.id, title }));
    } catch {
      return false;
    }
    const words = transcript.store.wordCount.get();
    this.#clear("sound");
    this.#send({ type: "saved" });
    this.#notify({ kind: "lectureSaved", words });
    return true;
  }

  /** Stops and saves what is open, then lets `show` bring up something else. */
  #visitWith(show: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    if (this.#state.phase === "disposed") return this.#operations.tail;
    this.#send({ type: "loadAsked" });
    this.#visit += 1;
    const visit = this.#visit;
    this.#starting?.abort();
    const isCurrent = () => this.#visit === visit && this.#state.phase === "loading";
    return this.#run(async () => {
      if (await this.#recorder.halt(this.#current, stopWaitMs)) {
        this.#notify({ kind: "recordingStopped" });
      }
      if (!isCurrent()) return;
      try {
        await show(isCurrent);
      } catch (error) {
        if (!isCurrent()) return;
        this.#send({ type: "loadFailed", content: this.#resumable });
        this.#notify(noticeOfLoad(error));
      }
    });
  }

  #ended(workspace: Workspace, end: RelayEnd): void {
    const limitHours =
      this.#usage === null
        ? (this.#options.limitHours ?? 1)
        : Math.round(this.#usage.limitSeconds / 36) / 100;
    if (workspace !== this.#current) return;
    this.#notify(noticeOfEnd(end, limitHours));
    void this.stop();
  }

  #unsavable(): "signInRequired" | "noActiveLecture" | "noContent" | null {
    if (this.#options.identity === "guest") return "signInRequired";
    if (this.#current.lecture === null) return "noActiveLecture";
    return this.#current.hasContent ? null : "noContent";
  }

  /** Runs `operation` after those before it, unless the session has ended by then. */
  #run(operation: () => Promise<void>): Promise<void> {
    return this.#operations.run(async () => {
      if (this.#state.phase !== "disposed") await operation();
    });
  }

  #blank(): Opening {
    return blank(this.#ports.newId(), this.#language);
  }

  #clear(keep: "rows" | "sound" = "rows"): void {
    this.#address.forget();
    this.#replace(this.#blank(), keep);
  }

  #open(opening: Opening): Workspace {
    const workspace: Workspace = new Workspace(
      {
        api: this.#api,
        ports: this.#ports,
        identity: this.#options.identity,
        encoding: this.#options.audio ?? "binary",
        diarization: () => this.#diarization,
        path: (recordingId) => this.#address.path(recordingId),
        onChange: () => this.#show(),
        onTimer: (usedSeconds, limitSeconds) => {
          if (this.#options.identity === "guest") return;
          this.#usage = { usedSeconds, limitSeconds };
          this.#show();
        },
        onEnd: (end) => this.#ended(workspace, end),
        onRecovered: (seconds) => this.#notify({ kind: "soundRecovered", seconds }),
        onRefused: (code) => {
          if (code === "unauthenticated") this.#notify({ kind: "sessionExpired" });
          else this.#notify({ kind: "saveFailed" });
        },
      },
      opening,
    );
    return workspace;
  }

  #replace(opening: Opening, keep: "rows" | "sound" = "rows"): void {
    this.#shelf.replace(this.#open(opening), this.#options.identity === "user" ? keep : "nothing");
    this.#show();
  }

  /** True when `event` changed the state. */
  #send(event: SessionEvent): boolean {
    const next = transition(this.#state, event);
    if (next === this.#state) return false;
    this.#state = next;
    this.#show();
    return true;
  }

  #notify(notice: SessionNotice): void {
    for (const listener of [...this.#listeners]) listener(notice);
  }

  #look(): SessionView {
    const workspace = this.#current;
    return {
      ...shown(this.#state),
      connection: workspace.connection,
      save: workspace.save,
      lecture: workspace.lecture,
      recordedSeconds: workspace.recordedSeconds,
      waitingSeconds: workspace.waitingSeconds,
      usage: this.#usage,
      targetLanguage: this.#language,
      diarization: this.#diarization,
      microphone: this.#recorder.microphone.state,
    };
  }

  #show(): void {
    // While the session is being built there is nothing to show yet.
    if (this.view === undefined) return;
    const view = this.#look();
    const before = this.view.get();
    const keys = Object.keys(view) as (keyof SessionView)[];
    if (keys.some((key) => !Object.is(view[key], before[key]))) this.view.set(view);
  }
}
