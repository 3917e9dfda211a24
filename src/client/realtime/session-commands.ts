import { saveWaitMs, stopWaitMs } from "#shared/limits.ts";
import { createStateFromLecture, createStateFromTransfer } from "./lecture/initial-state.ts";
import { formatSavedTitle } from "./lecture/titles.ts";
import { toCreateNotice, toLoadNotice } from "./notices.ts";
import type { Recorder } from "./recorder.ts";
import { SerialQueue } from "./serial-queue.ts";
import { ApiError, type SessionApi } from "./server-api.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { SessionStore } from "./session-store.ts";
import { withRetries, withTimeout } from "./timeouts-and-retries.ts";
import type { SessionNotice } from "./types.ts";

/** A new lecture that the server does not make in this time is made when it is recorded. */
const draftMs = 10_000;

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  store: SessionStore;
  recorder: Recorder;
}

/** The long operations of a session, one after the other: start, stop, save, load and reset. */
export class SessionCommands {
  readonly #deps: Deps;
  readonly #queue: SerialQueue;
  #starting: AbortController | null = null;
  /** Counts loads and resets, so that an overtaken one shows nothing. */
  #switchCount = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#queue = new SerialQueue(deps.ports.log);
  }

  record(): Promise<void> {
    const { store } = this.#deps;
    if (!store.dispatch({ type: "recordRequested" })) return this.#queue.tail;
    const starting = new AbortController();
    this.#starting = starting;
    return this.#enqueue(() => this.#startRecording(starting));
  }

  stop(): Promise<void> {
    const { store, recorder } = this.#deps;
    if (!store.dispatch({ type: "stopRequested" })) return this.#queue.tail;
    this.#starting?.abort();
    return this.#enqueue(async () => {
      const ran = await recorder.stop(store.current, stopWaitMs);
      if (ran) store.current.hasRecording = true;
      store.dispatch({ type: "stopped", hasContent: ran || store.current.canResume });
      if (ran) store.notify({ kind: "recordingPaused" });
    });
  }

  canSave(): boolean {
    const notice = this.#findSaveObstacle();
    if (notice === null) return true;
    this.#deps.store.notify(notice);
    return false;
  }

  save(title: string): Promise<void> {
    const { store, recorder } = this.#deps;
    const { phase } = store.state;
    if ((phase !== "idle" && phase !== "recording") || !this.canSave()) return this.#queue.tail;
    store.dispatch({ type: "saveRequested" });
    return this.#enqueue(async () => {
      await recorder.stop(store.current, saveWaitMs);
      if (await this.#completeLecture(title)) return;
      store.dispatch({ type: "saveFailed" });
      store.notify({ kind: "saveFailed" });
    });
  }

  load(id: string): Promise<void> {
    if (this.#deps.identity === "guest") {
      this.#deps.store.notify({ kind: "signInRequired", for: "lectures" });
      return this.#queue.tail;
    }
    return this.#switchLecture(async (isCurrent) => {
      const { api, store } = this.#deps;
      const before = store.current;
      const again = before.lectureId === id;
      // The server's copy must not be older than what is on the page, nor the spool's.
      if (again && (before.takes.hasUnpersistedAudio || !(await before.stored.flush(saveWaitMs)))) {
        throw new ApiError("unavailable", true);
      }
      if (!(await store.lectures.close(id, saveWaitMs))) throw new ApiError("unavailable", true);
      const lecture = await api.getLecture(id);
      if (!isCurrent()) return;
      store.replaceLecture(createStateFromLecture(lecture), !again);
      store.dispatch({ type: "loaded" });
      store.lectures.yieldConnection();
      void store.current.recoverAudio();
    });
  }

  reset(options: { quiet?: boolean } = {}): Promise<void> {
    return this.#switchLecture(async (isCurrent) => {
      const { identity, ports, store } = this.#deps;
      const draft = store.current;
      // Whoever signs out takes the permission to save along.
      if (options.quiet === true) await store.lectures.flush(stopWaitMs);
      const reused = options.quiet !== true && draft.stored.isCreated && draft.isEmpty;
      if (!reused) store.showEmptyLecture();
      let notice: SessionNotice = {
        kind: identity === "guest" ? "newLectureReadyGuest" : "newLectureCreated",
      };
      if (identity === "user" && options.quiet !== true) {
        notice = await withTimeout(ports.clock, draftMs, (signal) =>
          store.current.stored.create(signal),
        )
          .then(() => notice)
          .catch(toCreateNotice);
      }
      if (!isCurrent()) return;
      store.dispatch({ type: "cleared" });
      if (options.quiet !== true) store.notify(notice);
    });
  }

  /** Lecture `id` was deleted: nothing of it is finalised or saved any more. */
  onLectureDeleted(id: string): void {
    const { store, recorder } = this.#deps;
    if (store.state.phase === "disposed" || !store.lectures.discard(id)) return;
    this.#beginSwitch();
    void this.#enqueue(async () => {
      await recorder.closeMicrophone();
      store.showEmptyLecture(false);
      store.dispatch({ type: "cleared" });
    });
  }

  /** Makes a new lecture of what the page and its storage have of lecture `id`, while that is open. */
  keepAsNewLecture(id: string): Promise<void> {
    const { identity, ports, store } = this.#deps;
    if (identity === "guest" || store.current.lectureId !== id) return this.#queue.tail;
    return this.#switchLecture(async () => {
      store.current.closeConnection();
      const before = store.current;
      const carried = before.exportTranscript();
      if (carried === null) store.showEmptyLecture(false);
      else {
        const live = await ports.loadLivePath();
        await before.adoptStoredTakes();
        store.replaceLecture(createStateFromTransfer(ports.newId(), carried), false, (next) =>
          before.moveTakesTo(next, live),
        );
      }
      store.dispatch({ type: carried === null ? "cleared" : "loaded" });
      const notice = await store.current.stored
        .create()
        .then((): SessionNotice => ({ kind: "newLectureCreated" }))
        .catch(toCreateNotice);
      if (store.current.stored.isCreated) void store.current.recoverAudio();
      store.notify(notice);
    });
  }

  createFromTransfer(): Promise<void> {
    return this.#switchLecture(async () => {
      const { store } = this.#deps;
      store.dispatch({ type: "loaded" });
      // Without an answer now it is created when the recording goes on, or at the next return.
      await store.current.stored
        .create()
        .catch((error: unknown) => store.notify(toCreateNotice(error)));
    });
  }

  dispose(): void {
    this.#starting?.abort();
  }

  async #startRecording(starting: AbortController): Promise<void> {
    const { store, recorder } = this.#deps;
    const workspace = store.current;
    const resumed = store.state.idleStatus === "paused" && workspace.canResume;
    const usedUp = await this.#findExhaustedAllowance(starting.signal);
    // Stopped meanwhile, or overtaken.
    if (store.state.phase !== "starting") return;
    if (usedUp !== null) {
      store.dispatch({ type: "startFailed", hasContent: workspace.canResume });
      store.notify(usedUp);
      return;
    }
    const failure = await recorder.start(workspace, starting);
    if (this.#starting === starting) this.#starting = null;
    if (store.state.phase !== "starting") return;
    if (failure === null) {
      store.dispatch({ type: "started" });
      store.notify({ kind: resumed ? "recordingResumed" : "recordingStarted" });
      return;
    }
    // What was said meanwhile stays: continuing goes on with it.
    await recorder.stop(workspace, stopWaitMs);
    store.dispatch({ type: "startFailed", hasContent: workspace.canResume });
    store.notify(failure);
  }

  /** What to tell where nothing is left to record; null where something is, or nobody knows. */
  async #findExhaustedAllowance(signal: AbortSignal): Promise<SessionNotice | null> {
    const { identity, store } = this.#deps;
    if (identity === "guest") {
      return (await store.isGuestAllowanceExhausted(signal)) ? { kind: "guestLimitReached" } : null;
    }
    const { allowance } = store;
    if (!(await allowance.isExhausted(signal))) return null;
    return { kind: "monthlyLimitReached", limitHours: allowance.limitHours };
  }

  async #completeLecture(typed: string): Promise<boolean> {
    const { api, ports, store } = this.#deps;
    const workspace = store.current;
    const { stored, transcript } = workspace;
    const lecture = stored.lecture;
    // Sound without words is given its time after the lecture has left the screen.
    if (workspace.takes.connection !== "draining") workspace.closeConnection();
    if (lecture === null || !(await stored.flush(saveWaitMs))) return false;
    const { clock } = ports;
    const title = formatSavedTitle(typed, transcript.store.english(), lecture.title, clock.now());
    try {
      await withRetries(clock, () => api.completeLecture({ id: lecture.id, title }));
    } catch {
      return false;
    }
    const words = transcript.store.wordCount.get();
    const unsentSeconds = workspace.hasUnsentAudio ? Math.max(1, workspace.unsentSeconds) : 0;
    store.showEmptyLecture();
    store.dispatch({ type: "saved" });
    store.notify({ kind: "lectureSaved", words, unsentSeconds });
    return true;
  }

  #beginSwitch(): number {
    this.#deps.store.dispatch({ type: "loadRequested" });
    this.#switchCount += 1;
    this.#starting?.abort();
    return this.#switchCount;
  }

  /** Stops and saves what is open, then lets `show` bring up something else. */
  #switchLecture(show: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const { store, recorder } = this.#deps;
    if (store.state.phase === "disposed") return this.#queue.tail;
    const visit = this.#beginSwitch();
    const isCurrent = () => this.#switchCount === visit && store.state.phase === "loading";
    return this.#enqueue(async () => {
      if (await recorder.stop(store.current, stopWaitMs)) {
        store.notify({ kind: "recordingStopped" });
      }
      if (!isCurrent()) return;
      try {
        await show(isCurrent);
      } catch (error) {
        if (!isCurrent()) return;
        store.dispatch({ type: "loadFailed", hasContent: store.current.canResume });
        store.notify(toLoadNotice(error));
      }
    });
  }

  #findSaveObstacle(): SessionNotice | null {
    const { identity, store } = this.#deps;
    if (identity === "guest") return { kind: "signInRequired", for: "save" };
    if (store.current.stored.lecture === null) return { kind: "noActiveLecture" };
    return store.current.hasContent ? null : { kind: "noContent", for: "save" };
  }

  #enqueue(operation: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#deps.store.state.phase !== "disposed") await operation();
    });
  }
}
