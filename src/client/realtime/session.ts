import { isTargetLanguage, type TargetLanguage } from "../../shared/languages.ts";
import { saveWaitMs, stopWaitMs } from "../../shared/limits.ts";
import type { AudioEncoding } from "../../shared/relay.ts";
import { guestTicketParam } from "../../shared/site.ts";
import { browserPorts } from "./browser/ports.ts";
import {
  ApiError,
  type RecordingSession,
  type SessionApi,
  type SessionNotice,
  type SessionView,
  type TranscriptView,
} from "./contract.ts";
import { GuestTickets } from "./guest-tickets.ts";
import { Microphone } from "./microphone.ts";
import { noticeOfCreation, noticeOfEnd, noticeOfLoad, noticeOfStart } from "./notices.ts";
import { blank, type Opening, opened } from "./opening.ts";
import type { SessionPorts } from "./ports.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";
import { initialState, type SessionEvent, shown, transition } from "./session-machine.ts";
import { Following, Signal } from "./signal.ts";
import { draftTitle, savedTitle } from "./titles.ts";
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

/** How often a refused, but passing, call at the start or end of a recording is made. */
const tries = 4;
const firstRetryMs = 500;
const retiredPollMs = 5_000;
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
  readonly #workspace: Signal<Workspace>;
  /** Lectures that were left with something still to translate or save. */
  readonly #retired = new Set<Workspace>();
  readonly #microphone: Microphone;
  readonly #listeners = new Set<(notice: SessionNotice) => void>();
  readonly #leavePage: (() => void)[];
  #tickets: GuestTickets | null = null;
  #state = initialState;
  /** Operations run one after the other; this is the last. */
  #tail: Promise<void> = Promise.resolve();
  #starting: AbortController | null = null;
  /** A recording is running: sound goes to the workspace until `#halt`. */
  #capturing = false;
  #releaseClaim: () => void = () => {};
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
    const { audio, clock, log, page, spool } = this.#ports;
    this.#microphone = new Microphone({
      source: audio,
      clock,
      log,
      onChange: () => this.#show(),
      onLost: () => this.#lost(),
    });
    this.#workspace = new Signal(this.#open(this.#blank()));
    this.view = new Signal(this.#look());
    const current = this.#workspace;
    this.transcript = {
      blocks: new Following(current, (workspace) => workspace.transcript.store.blocks),
      live: new Following(current, (workspace) => workspace.transcript.store.live),
      wordCount: new Following(current, (workspace) => workspace.transcript.store.wordCount),
    };
    this.level = { read: () => this.#microphone.level() };
    this.#leavePage = [
      page.onWake(() => this.#current.wake()),
      page.onHide(() => {
        for (const workspace of [this.#current, ...this.#retired]) void workspace.flush(saveWaitMs);
      }),
    ];
    spool?.sweep(clock.now() - spoolKeepMs).catch(() => log.warn("spool not swept"));
  }

  onNotice(listener: (notice: SessionNotice) => void): () => void {
    const own = (notice: SessionNotice) => listener(notice);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  record(): Promise<void> {
    if (!this.#send({ type: "recordAsked" })) return this.#tail;
    const starting = new AbortController();
    this.#starting = starting;
    return this.#run(() => this.#start(starting));
  }

  stop(): Promise<void> {
    if (!this.#send({ type: "stopAsked" })) return this.#tail;
    this.#starting?.abort();
    return this.#run(async () => {
      const ran = await this.#halt(stopWaitMs);
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
    if ((phase !== "resting" && phase !== "recording") || !this.canSave()) return this.#tail;
    this.#send({ type: "saveAsked" });
    return this.#run(async () => {
      await this.#halt(saveWaitMs);
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

  reset(): Promise<void> {
    return this.#visitWith(async () => {
      this.#clear();
      this.#send({ type: "cleared" });
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

  hasUnsavedChanges(): boolean {
    if (this.#state.phase === "disposed") return false;
    return this.#capturing || [this.#current, ...this.#retired].some((open) => open.unsaved);
  }

  dispose(): void {
    if (!this.#send({ type: "disposed" })) return;
    this.#starting?.abort();
    void this.#microphone.close();
    this.#capturing = false;
    for (const leave of this.#leavePage) leave();
    for (const workspace of [this.#current, ...this.#retired]) workspace.dispose();
    this.#retired.clear();
    this.#tickets?.dispose();
    this.#releaseClaim();
    this.#listeners.clear();
  }

  get #current(): Workspace {
    return this.#workspace.get();
  }

  /** There is sound or text to go on with. */
  get #resumable(): boolean {
    return this.#current.hasContent || this.#current.recordedSeconds > 0;
  }

  async #start(starting: AbortController): Promise<void> {
    const workspace = this.#current;
    const resumed = this.#state.resting === "paused" && this.#resumable;
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      failure ??= notice;
      starting.abort();
    };
    if (!this.#ports.audio.supported()) fail({ kind: "notSupported" });
    else {
      // Both at once: what is said while the lecture is being created waits in the spool.
      await Promise.all([
        this.#microphone
          .open((pcm) => workspace.addSound(pcm), starting.signal)
          .catch((error: unknown) => fail(noticeOfStart(error))),
        this.#openRoom(workspace, starting.signal).catch((error: unknown) =>
          fail(noticeOfCreation(error)),
        ),
      ]);
    }
    if (this.#starting === starting) this.#starting = null;
    this.#capturing = this.#microphone.state !== "off";
    if (this.#state.phase !== "starting") return;
    if (failure !== null) {
      await this.#giveUp(workspace);
      this.#send({ type: "startFailed" });
      this.#notify(failure);
      return;
    }
    this.#send({ type: "started" });
    this.#notify({ kind: resumed ? "recordingResumed" : "recordingStarted" });
  }

  /** Makes sure that the lecture exists, then connects to its room. */
  async #openRoom(workspace: Workspace, signal: AbortSignal): Promise<void> {
    if (this.#options.identity === "user") {
      this.#releaseClaim();
      this.#releaseClaim = (await this.#ports.claim(workspace.recordingId)) ?? (() => {});
      if (!workspace.created) {
        const id = workspace.recordingId;
        const title = draftTitle(this.#ports.clock.now());
        const targetLanguage = this.#language;
        await this.#patiently(() => this.#api.createLecture({ id, title, targetLanguage }));
        workspace.confirm({ id, title, status: "draft" });
        if (this.#language !== targetLanguage) workspace.setLanguage(this.#language);
      }
    }
    if (!signal.aborted) workspace.stream();
  }

  /** After a start that failed: the next one must not begin with this one's sound. */
  async #giveUp(workspace: Workspace): Promise<void> {
    await this.#microphone.close();
    this.#capturing = false;
    if (workspace.created || workspace.hasContent) await this.#halt(stopWaitMs);
    else this.#clear();
  }

  /**
   * Ends a running recording and keeps what it heard, waiting `waitMs` for words and translations.
   * True when one was running.
   */
  async #halt(waitMs: number): Promise<boolean> {
    const workspace = this.#current;
    const ran = this.#capturing;
    await this.#microphone.close();
    this.#capturing = false;
    if (workspace.connection !== "idle" || workspace.unfinished) {
      if (ran && workspace.unfinished && this.#language !== "none") {
        this.#notify({ kind: "finalizingTranslations" });
      }
      await workspace.finish(waitMs);
    }
    await workspace.flush(stopWaitMs);
    this.#releaseClaim();
    this.#releaseClaim = () => {};
    return ran;
  }

  /** Saves under a name and clears the screen. */
  async #complete(typed: string): Promise<boolean> {
    const workspace = this.#current;
    const { clock } = this.#ports;
    const { lecture, transcript } = workspace;
    workspace.abandon();
    if (lecture === null || !(await workspace.flush(saveWaitMs))) return false;
    const title = savedTitle(typed, transcript.store.english(), lecture.title, clock.now());
    try {
      await this.#patiently(() => this.#api.completeLecture({ id: lecture.id, title }));
    } catch {
      return false;
    }
    const words = transcript.store.wordCount.get();
    this.#clear();
    this.#send({ type: "saved" });
    this.#notify({ kind: "lectureSaved", words });
    return true;
  }

  /** Stops and saves what is open, then lets `show` bring up something else. */
  #visitWith(show: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    if (this.#state.phase === "disposed") return this.#tail;
    this.#send({ type: "loadAsked" });
    this.#visit += 1;
    const visit = this.#visit;
    this.#starting?.abort();
    const isCurrent = () => this.#visit === visit && this.#state.phase === "loading";
    return this.#run(async () => {
      if (await this.#halt(stopWaitMs)) this.#notify({ kind: "recordingStopped" });
      if (!isCurrent()) return;
      try {
        await show(isCurrent);
      } catch (error) {
        if (!isCurrent()) return;
        this.#send({ type: "loadFailed" });
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

  #lost(): void {
    this.#notify({ kind: "microphoneLost" });
    void this.stop();
  }

  #unsavable(): "signInRequired" | "noActiveLecture" | "noContent" | null {
    if (this.#options.identity === "guest") return "signInRequired";
    if (this.#current.lecture === null) return "noActiveLecture";
    return this.#current.hasContent ? null : "noContent";
  }

  /** Runs `operation` after those before it. Never rejects. */
  #run(operation: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      if (this.#state.phase === "disposed") return;
      await operation().catch((error: unknown) => {
        this.#ports.log.warn("session operation failed", { error: String(error) });
      });
    });
    return this.#tail;
  }

  /** Calls again, after a pause, what fails in passing. */
  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ApiError) || !error.retryable || failures + 1 >= tries) throw error;
        const delay = firstRetryMs * 2 ** failures;
        await new Promise<void>((resolve) => this.#ports.clock.after(delay, resolve));
      }
    }
  }

  #blank(): Opening {
    return blank(this.#ports.newId(), this.#language);
  }

  #clear(): void {
    this.#tickets?.dispose();
    this.#tickets = null;
    this.#replace(this.#blank());
  }

  #open(opening: Opening): Workspace {
    const workspace: Workspace = new Workspace(
      {
        api: this.#api,
        ports: this.#ports,
        identity: this.#options.identity,
        encoding: this.#options.audio ?? "binary",
        diarization: () => this.#diarization,
        path: (recordingId) => this.#path(recordingId),
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

  #replace(opening: Opening): void {
    const before = this.#current;
    before.abandon();
    this.#workspace.set(this.#open(opening));
    this.#show();
    this.#retired.add(before);
    const keep = this.#options.identity === "user" ? before.settled(retiredPollMs) : null;
    void Promise.resolve(keep).then(() => {
      this.#retired.delete(before);
      before.dispose();
    });
  }

  async #path(recordingId: string): Promise<string> {
    if (this.#options.identity === "user") return `/api/recordings/${recordingId}`;
    const { clock, log } = this.#ports;
    const issue = (previous: string | null) => this.#api.guestTicket(previous);
    this.#tickets ??= new GuestTickets({ issue, clock, log });
    const { recordingId: id, ticket } = await this.#tickets.current();
    const query = new URLSearchParams({ [guestTicketParam]: ticket });
    return `/api/recordings/${id}?${query}`;
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
      microphone: this.#microphone.state,
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
