import { createStateFromTransfer } from "#client/lecture/initial-state.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { createTransfer } from "#client/lecture/transfer.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { isRoomEngine, type SpeechEngine } from "#client/recognition/speech-engine.ts";
import { type SessionNotice, toCreateNotice, toLoadNotice } from "#client/recorder/notices.ts";
import { saveWaitMs, stopAnsweringMs, stopWaitMs } from "#shared/limits.ts";
import { completeLecture, findSaveObstacle } from "./complete-lecture.ts";
import type { Recorder } from "./recorder.ts";
import type { SessionEngines, SessionPorts } from "./session-ports.ts";
import type { SessionStore } from "./session-store.ts";

/** A draft that is not created in this time is created with the first recording. */
const createTimeoutMs = 10_000;

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  store: SessionStore;
  recorder: Recorder;
  selectSpeech: SessionEngines["selectSpeech"];
}

/** `abort`: another command takes over. `done` resolves at its end; null until the microphone is closed. */
interface Finishing {
  abort: AbortController;
  wasRecording: boolean;
  done: Promise<void> | null;
}

/**
 * Runs a session's commands one at a time: record, stop, save, load, reset. Each moves the phase in `SessionStore` by
 * its `transition`. Only Save waits for the last words of a recording that was stopped before.
 */
export class SessionCommands {
  /** Resolves when every command so far has run. Never rejects. */
  #tail: Promise<void> = Promise.resolve();
  /** The start that waits or runs. */
  #starting: AbortController | null = null;
  /** The last words of a stopped recording are waited for. */
  #finishing: Finishing | null = null;
  /** Counts switches of the lecture, so that an outdated one shows nothing. */
  #switchCount = 0;
  /** The last call of `recognizeWith`, unless a recording has begun or the lecture has changed since. */
  #choice: symbol | null = null;
  /** What `record` was called with while a lecture is being opened. */
  #dueRecord: { engine: SpeechEngine | undefined } | null = null;

  constructor(private readonly deps: Deps) {}

  record(engine?: SpeechEngine): Promise<void> {
    const { store } = this.deps;
    if (store.state.phase === "loading") {
      this.#dueRecord = { engine };
      return this.#tail;
    }
    if (!store.dispatch({ type: "recordRequested" })) return this.#tail;
    const starting = this.#beginStart();
    // They are there before the microphone is, as a rule.
    store.current.lecture.prepareTerms();
    return this.#enqueue(() => this.#startRecording(starting, engine));
  }

  async recognizeWith(engine: SpeechEngine): Promise<void> {
    const { recorder, store } = this.deps;
    const choice = Symbol(engine);
    this.#choice = choice;
    const isDue = () => this.#choice === choice && /recording|idle/u.test(store.state.phase);
    await this.#tail;
    if (!isDue()) return;
    store.setSpeechEngine(engine);
    // Stop does not wait for the server.
    const isPrepared = await recorder.prepareFor(store.current, engine);
    await this.#enqueue(async () => {
      if (isPrepared && isDue()) await recorder.recognizeWith(store.current, engine);
    });
  }

  stop(): Promise<void> {
    const { store } = this.deps;
    const wasRecording = store.state.phase === "recording";
    if (wasRecording) store.current.hasRecording = true;
    const hasContent = wasRecording || store.current.canResume;
    this.#dueRecord = null;
    if (store.dispatch({ type: "stopRequested", hasContent })) {
      this.#cancelStart();
      const finishing = { abort: new AbortController(), wasRecording, done: null };
      this.#finishing = finishing;
      void this.#enqueue(() => this.#stopRecording(finishing));
    }
    return this.#tail.then(() => this.#finishing?.done ?? undefined);
  }

  canSave(): boolean {
    const { identity, store } = this.deps;
    const notice = findSaveObstacle(store.current, identity);
    if (notice !== null) store.notify(notice);
    return notice === null;
  }

  save(title: string, folderId?: string | null): Promise<void> {
    const { ports, store, recorder } = this.deps;
    if (!/recording|idle/u.test(store.state.phase) || !this.canSave()) return this.#tail;
    store.dispatch({ type: "saveRequested" });
    this.#endFinishing();
    return this.#enqueue(async () => {
      const notifies = await recorder.stop(store.current);
      store.current.hasRecording ||= notifies;
      await recorder.finish(store.current, { waitMs: saveWaitMs, notifies });
      const notice = await completeLecture(store.current, ports.clock, { title, folderId });
      store.dispatch({ type: "saveEnded" });
      store.notify(notice);
    });
  }

  load(id: string): Promise<void> {
    const { api, identity, recorder, store } = this.deps;
    if (identity === "guest") {
      store.notify({ kind: "signInRequired", for: "lectures" });
      return this.#tail;
    }
    return this.#switchLecture(async (isCurrent) => {
      const before = store.current;
      const isSame = before.lectureId === id;
      if (isSame) {
        await recorder.finish(before, { waitMs: stopWaitMs, notifies: false });
        // Neither the server's copy nor the stored takes may be older than the page.
        const isSaved = await before.stored.flush(saveWaitMs);
        if (!isSaved || before.takes.hasUnpersistedAudio) throw new ApiError("unavailable", true);
      }
      const open = store.lectures.find(id);
      // What its recording in the background saves meanwhile is newer than the answer.
      const handle = open && store.lectures.hold(open, "recording");
      try {
        const saveCount = open?.saveCount;
        const stored = await api.getLecture(id);
        if (!isCurrent()) return;
        store.openStoredLecture(stored, !isSame, saveCount);
      } finally {
        handle?.close();
      }
      store.dispatch({ type: "loaded" });
      void store.recordings.recoverAudio();
    });
  }

  reset({ quiet = false }: { quiet?: boolean } = {}): Promise<void> {
    return this.#switchLecture(async (isCurrent) => {
      const { identity, ports, recorder, store } = this.deps;
      const draft = store.current;
      if (quiet) {
        // After a sign-out nothing can be saved any more.
        await recorder.finish(draft, { waitMs: stopWaitMs, notifies: false });
        await store.lectures.flush(stopWaitMs);
      }
      if (quiet || !draft.stored.isCreated || !draft.isEmpty) store.showEmptyLecture();
      // A recording that follows creates the draft and is told.
      const isSilent = quiet || this.#dueRecord !== null;
      let notice: SessionNotice = { kind: "newLectureReadyGuest" };
      if (identity === "user" && !isSilent) {
        const create = (signal: AbortSignal) => this.#createLecture(signal);
        notice = await withTimeout(ports.clock, createTimeoutMs, create).catch(toCreateNotice);
      }
      if (!isCurrent()) return;
      store.dispatch({ type: "cleared" });
      if (!isSilent) store.notify(notice);
    });
  }

  /** Stops transcribing and saving lecture `id`, which was deleted. */
  onLectureDeleted(id: string): void {
    const { store, recorder } = this.deps;
    if (store.state.phase === "disposed") return;
    const wasCurrent = store.recordings.discard(id);
    store.lectures.delete(id);
    if (!wasCurrent) return;
    const switchNumber = this.#beginSwitch();
    this.#endFinishing();
    void this.#enqueue(async () => {
      await recorder.closeMicrophone();
      store.showEmptyLecture(false);
      store.dispatch({ type: "cleared" });
      await this.#startDueRecording(switchNumber);
    });
  }

  /** Saves the open lecture `id`, with its unsent audio, as a new lecture. */
  keepAsNewLecture(id: string): Promise<void> {
    const { identity, ports, store } = this.deps;
    if (identity === "guest" || store.current.lectureId !== id) return this.#tail;
    return this.#switchLecture(async () => {
      store.current.closeConnection();
      const before = store.current;
      const transfer = createTransfer(before.lecture, before.recordedSeconds);
      if (transfer === null) store.showEmptyLecture(false);
      else {
        const live = await ports.loadLivePath();
        await before.adoption.adopt();
        store.replaceLecture(createStateFromTransfer(ports.newId(), transfer), false, (next) =>
          next.adoption.track(before.takes.moveTo(next.takes, live)),
        );
      }
      store.dispatch({ type: transfer === null ? "cleared" : "loaded" });
      const notice = await this.#createLecture();
      if (store.current.stored.isCreated) void store.recordings.recoverAudio();
      store.notify(notice);
    });
  }

  /** Creates the lecture of a guest's transcript, which is open already, on the server. */
  createFromTransfer(): Promise<void> {
    return this.#switchLecture(async () => {
      const { store } = this.deps;
      store.dispatch({ type: "loaded" });
      // If this fails it is created by the next recording or the next `wake`.
      const notice = await this.#createLecture();
      // The lists are read again at this notice, and show the beginning of the text.
      void store.current.stored.flush(saveWaitMs).then(() => store.notify(notice));
    });
  }

  dispose(): void {
    this.#cancelStart();
    this.#endFinishing();
  }

  /** Creates the open lecture on the server. Returns the notice of the outcome. */
  #createLecture(signal?: AbortSignal): Promise<SessionNotice> {
    const { stored } = this.deps.store.current;
    return stored.create(signal).then(() => ({ kind: "newLectureCreated" }), toCreateNotice);
  }

  #beginStart(): AbortController {
    this.#endFinishing();
    this.#choice = null;
    this.#starting = new AbortController();
    return this.#starting;
  }

  #cancelStart(): void {
    this.#starting?.abort();
    this.#starting = null;
  }

  /** Another command takes over. True when a recording was stopped and that is not told yet. */
  #endFinishing(): boolean {
    const finishing = this.#finishing;
    this.#finishing = null;
    finishing?.abort.abort();
    return finishing?.wasRecording === true;
  }

  /** Closes the microphone. The last words come while the next command can run. */
  async #stopRecording(finishing: Finishing): Promise<void> {
    const { store, recorder } = this.deps;
    const recording = store.current;
    const wasCapturing = await recorder.stop(recording);
    recording.hasRecording ||= wasCapturing;
    store.dispatch({ type: "stopped", hasContent: wasCapturing || recording.canResume });
    const { signal } = finishing.abort;
    if (signal.aborted) return;
    finishing.wasRecording = wasCapturing;
    const waits = { waitMs: stopWaitMs, answeringMs: stopAnsweringMs };
    const options = { ...waits, notifies: wasCapturing, signal };
    finishing.done = recorder.finish(recording, options).then(() => {
      if (signal.aborted) return;
      this.#finishing = null;
      if (!wasCapturing) return;
      const { isSaved, writer } = recording.lecture;
      const untranslated = writer.translator.pendingCount;
      store.notify({ kind: "recordingPaused", isSaved, untranslated });
    });
  }

  async #startRecording(starting: AbortController, requested?: SpeechEngine): Promise<void> {
    const { store, recorder } = this.deps;
    const recording = store.current;
    const isResuming = store.state.idleStatus === "paused" && recording.canResume;
    const engine = requested ?? (await this.deps.selectSpeech().catch(() => "service" as const));
    store.setSpeechEngine(engine);
    // Only the room's work is charged.
    let exhausted: SessionNotice | null = null;
    if (isRoomEngine(engine)) exhausted = await store.findExhaustedAllowance(starting.signal);
    // Stopped meanwhile, or another lecture is being opened.
    if (this.#starting !== starting) return;
    const failure = exhausted ?? (await recorder.start(recording, engine, starting));
    if (this.#starting !== starting) return;
    this.#starting = null;
    if (failure === null) {
      store.dispatch({ type: "started" });
      store.notify({ kind: isResuming ? "recordingResumed" : "recordingStarted" });
      return;
    }
    if (exhausted === null) await recorder.stop(recording);
    store.dispatch({ type: "startFailed", hasContent: recording.canResume });
    store.notify(failure);
    // Audio captured meanwhile is kept for Continue.
    if (exhausted === null)
      void recorder.finish(recording, { waitMs: stopWaitMs, notifies: false });
  }

  /** Runs what `record` has asked for during the switch. */
  async #startDueRecording(switchNumber: number): Promise<void> {
    const due = this.#dueRecord;
    if (due === null || this.#switchCount !== switchNumber) return;
    this.#dueRecord = null;
    if (!this.deps.store.dispatch({ type: "recordRequested" })) return;
    await this.#startRecording(this.#beginStart(), due.engine);
  }

  /** Enters the phase `loading`, cancels a start and outdates every earlier switch. */
  #beginSwitch(): number {
    this.deps.store.dispatch({ type: "loadRequested" });
    this.#switchCount += 1;
    this.#choice = null;
    this.#dueRecord = null;
    this.#cancelStart();
    return this.#switchCount;
  }

  /** Stops the open lecture, then runs `show`, which opens another. */
  #switchLecture(show: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const { store, recorder } = this.deps;
    if (store.state.phase === "disposed") return this.#tail;
    const switchNumber = this.#beginSwitch();
    const wasRecording = this.#endFinishing();
    const isCurrent = () => this.#switchCount === switchNumber && store.state.phase === "loading";
    return this.#enqueue(async () => {
      if ((await recorder.stop(store.current)) || wasRecording)
        store.notify({ kind: "recordingStopped" });
      void recorder.finish(store.current, { waitMs: stopWaitMs, notifies: false });
      if (!isCurrent()) return;
      try {
        await show(isCurrent);
        await this.#startDueRecording(switchNumber);
      } catch (error) {
        if (!isCurrent()) return;
        this.#dueRecord = null;
        store.dispatch({ type: "loadFailed", hasContent: store.current.canResume });
        store.notify(toLoadNotice(error));
      }
    });
  }

  #enqueue(operation: () => Promise<void>): Promise<void> {
    const { ports, store } = this.deps;
    this.#tail = this.#tail.then(async () => {
      if (store.state.phase === "disposed") return;
      try {
        await operation();
      } catch (error) {
        ports.log.warn("session operation failed", { error: String(error) });
      }
    });
    return this.#tail;
  }
}
