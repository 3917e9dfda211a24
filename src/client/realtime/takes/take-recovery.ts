import { createStateFromLecture } from "#client/realtime/lecture/initial-state.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import type { SessionStore } from "#client/realtime/session-store.ts";
import { Signal } from "#client/realtime/signal.ts";

/** Takes that nobody came back for are removed after this. */
const takesKeptMs = 30 * 24 * 3_600_000;
/** Sound of lectures that are not open is looked for as often as this, and when the person is back. */
const recoveryMs = 600_000;
const recoverySoonestMs = 60_000;

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  store: SessionStore;
}

/** Fetches the code of recording ahead, and has sound that dead tabs have left made words, again and again. */
export class TakeRecovery {
  /** Lectures, but for the open one, of which takes are stored. */
  readonly lecturesWithUnsentAudio = new Signal<ReadonlySet<string>>(new Set());
  readonly #deps: Deps;
  #isPreloadWanted = false;
  /** The code is there, or on its way. */
  #isPreloaded = false;
  /** Null: sound is looked for now, or never was. */
  #cancelNext: (() => void) | null = null;
  /** When sound was looked for last, ms since the epoch. */
  #lastRecoveryAt = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
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
    const since = this.#deps.ports.clock.now() - this.#lastRecoveryAt;
    if (this.#cancelNext !== null && since >= recoverySoonestMs) void this.#recover();
  }

  /** Brings `waitingLectures` up to date, once the code is there. */
  async refresh(): Promise<void> {
    if (!this.#isPreloaded) return;
    await this.#listUnsentLectures().catch(() =>
      this.#deps.ports.log.warn("stored sound not read"),
    );
  }

  dispose(): void {
    this.#cancelNext?.();
  }

  async #loadAndRecover(): Promise<void> {
    const { claim, clock, log, loadLivePath } = this.#deps.ports;
    try {
      const live = await loadLivePath();
      await live.migrate(claim);
      await live.storage?.removeOlderThan(clock.now() - takesKeptMs);
    } catch {
      this.#isPreloaded = false;
      log.warn("recording not prepared");
      return;
    }
    await this.#recover();
  }

  async #listUnsentLectures(): Promise<void> {
    const { identity, ports, store } = this.#deps;
    if (identity === "guest") return;
    const { storage } = await ports.loadLivePath();
    const takes = (await storage?.list()) ?? [];
    const ids = takes.map(({ lectureId }) => lectureId);
    this.lecturesWithUnsentAudio.set(new Set(ids.filter((id) => id !== store.current.lectureId)));
  }

  async #recover(): Promise<void> {
    const { ports, store } = this.#deps;
    const { clock, log } = ports;
    this.#cancelNext?.();
    this.#cancelNext = null;
    try {
      await this.#recoverAll();
    } catch {
      log.warn("stored sound not read");
    }
    if (store.state.phase === "disposed") return;
    this.#lastRecoveryAt = clock.now();
    this.#cancelNext = clock.after(recoveryMs, () => void this.#recover());
  }

  async #recoverAll(): Promise<void> {
    const { api, ports, store } = this.#deps;
    await this.#listUnsentLectures();
    for (const id of this.lecturesWithUnsentAudio.get()) {
      if (store.lectures.has(id)) continue;
      try {
        const lecture = await api.getLecture(id);
        if (store.state.phase === "disposed" || store.lectures.has(id)) return;
        const workspace = store.createOpenLecture(createStateFromLecture(lecture));
        await workspace.adoptStoredTakes();
        await store.lectures.finishInBackground(workspace);
      } catch (error) {
        const isGone = error instanceof ApiError && error.code === "not_found";
        ports.log.warn("stored sound not sent", { gone: isGone });
      }
    }
  }
}
