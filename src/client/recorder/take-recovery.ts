import { createStateFromLecture } from "#client/lecture/initial-state.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { Timer } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import { isRoomEngine, type SpeechObstacle } from "#client/recognition/speech-engine.ts";
import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import type { TakeStorage } from "#client/sound/takes/take-storage.ts";
import type { LectureRecording } from "./lecture-recording.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { SessionStore } from "./session-store.ts";

/** Takes that nobody can read, such as those of a version that did not say whose they are, are deleted after this time. */
const unreadableForMs = 30 * 24 * 3_600_000;
/** Interval between searches for takes of lectures that are not open. */
const recoveryIntervalMs = 600_000;
/** Shortest interval when `wake` starts a search earlier. */
const recoveryIntervalMinMs = 60_000;

/** Why sound of a recording still waits; null: none does, or it is being recognised. */
function findObstacle({ takes }: LectureRecording): SpeechObstacle | null {
  const { end, problem } = takes.recognition;
  if (problem?.engine === "device") return "noModel";
  if (problem?.reason === "noLanguage") return "noLanguage";
  if (end?.kind !== "refused") return null;
  return end.code === "allowance_exhausted" ? "noTime" : "refused";
}

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  /** Whose audio is sent; null: nobody's. */
  userId: string | null;
  store: SessionStore;
}

/**
 * Preloads the code for recording, then regularly finds takes that closed tabs have left and has them
 * sent in the background.
 */
export class TakeRecovery {
  /** Ids of lectures, except the open one, with stored takes. */
  readonly lecturesWithUnsentAudio = new Signal<ReadonlySet<string>>(new Set());
  #isPreloadWanted = false;
  /** The code is loaded or being loaded. */
  #isPreloaded = false;
  /** Runs until the next search, but not while one runs and before the first. */
  readonly #next: Timer;
  /** Time of the last search, ms since the epoch. */
  #lastRecoveryAt = 0;

  constructor(private readonly deps: Deps) {
    this.#next = new Timer(deps.ports.clock);
  }

  preload(): void {
    this.#isPreloadWanted = true;
    if (this.#isPreloaded) return;
    this.#isPreloaded = true;
    void this.#loadAndRecover();
  }

  /** The network or the person is back. */
  wake(): void {
    if (this.#isPreloadWanted) this.preload();
    const since = this.deps.ports.clock.now() - this.#lastRecoveryAt;
    if (this.#next.isRunning && since >= recoveryIntervalMinMs) void this.#recover();
  }

  /** Updates `lecturesWithUnsentAudio`, if the code is loaded. */
  async refresh(): Promise<void> {
    if (!this.#isPreloaded) return;
    await this.#listUnsentLectures().catch(() => this.deps.ports.log.warn("stored sound not read"));
  }

  /**
   * Has stored sound of lecture `id` recognised now. Resolves when that has ended, or goes on in an open lecture; with why
   * some of it still waits, or null.
   */
  async recognize(id: string): Promise<SpeechObstacle | null> {
    const { recordings } = this.deps.store;
    const held = recordings.find(id);
    if (held === undefined) return this.#finish(id);
    if (held === recordings.current) await recordings.recoverAudio();
    // In the background it goes on by itself.
    else await held.adoption.adopt();
    return findObstacle(held);
  }

  /** Leaves without words what is not recognised of the stored sound of lecture `id`. */
  async skip(id: string): Promise<void> {
    const { recordings } = this.deps.store;
    const opened = recordings.find(id) ? null : await this.#open(id, skipRest);
    await opened?.finished;
    const held = opened ? undefined : recordings.find(id);
    if (held === undefined) return;
    // What is just being found is left out as well.
    await held.adoption.whenIdle();
    skipRest(held);
  }

  dispose(): void {
    this.#next.cancel();
  }

  async #loadAndRecover(): Promise<void> {
    const { clock, log, loadLivePath } = this.deps.ports;
    try {
      const live = await loadLivePath();
      await live.maintainStorage(clock.now() - unreadableForMs);
    } catch {
      this.#isPreloaded = false;
      log.warn("recording not prepared");
      return;
    }
    await this.#recover();
  }

  /** Updates `lecturesWithUnsentAudio`, and returns those whose sound may be sent without asking. */
  async #listUnsentLectures(): Promise<ReadonlySet<string>> {
    const takes = (await (await this.#openStorage())?.list()) ?? [];
    const openId = this.deps.store.current.lectureId;
    const listIds = (some: readonly StoredTake[]) =>
      new Set(some.map(({ lectureId }) => lectureId).filter((id) => id !== openId));
    this.lecturesWithUnsentAudio.set(listIds(takes));
    return listIds(takes.filter(({ engine }) => isRoomEngine(engine)));
  }

  async #openStorage(): Promise<TakeStorage | null> {
    const { userId, ports } = this.deps;
    return userId === null ? null : (await ports.loadLivePath()).openStorage(userId);
  }

  async #recover(): Promise<void> {
    const { ports, store } = this.deps;
    const { clock, log } = ports;
    this.#next.cancel();
    // What waits until another device has stopped recording the open lecture, or was refused.
    store.current.takes.recognition.wake();
    store.current.retryRefused();
    try {
      for (const id of await this.#listUnsentLectures()) {
        if (store.state.phase === "disposed") return;
        if (!store.recordings.find(id)) await this.#finish(id);
      }
    } catch {
      log.warn("stored sound not read");
    }
    if (store.state.phase === "disposed") return;
    this.#lastRecoveryAt = clock.now();
    this.#next.start(recoveryIntervalMs, () => void this.#recover());
  }

  /** Has the sound of a lecture that is not open recognised. */
  async #finish(id: string): Promise<SpeechObstacle | null> {
    try {
      const opened = await this.#open(id);
      await opened?.finished;
      return opened && findObstacle(opened.recording);
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === "not_found";
      this.deps.ports.log.warn("stored sound not sent", { gone: isGone });
      return "notReached";
    }
  }

  /**
   * Opens lecture `id` in the background, so that whoever opens it meanwhile gets this one. `onFound`: its stored sound is
   * found. Null if the person has opened it before the server's answer, or the session has ended.
   */
  async #open(id: string, onFound: (recording: LectureRecording) => void = () => {}) {
    const { api, store } = this.deps;
    const stored = await api.getLecture(id);
    if (store.state.phase === "disposed" || store.recordings.find(id)) return null;
    const recording = store.createRecording(createStateFromLecture(stored));
    void recording.adoption.adopt().then(() => onFound(recording));
    return { recording, finished: store.recordings.finishInBackground(recording) };
  }
}

const skipRest = ({ takes }: LectureRecording): void => takes.skipRest();
