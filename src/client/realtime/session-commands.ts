import { saveWaitMs, stopWaitMs } from "#shared/limits.ts";
import { carriedOver, opened } from "./lecture/initial-state.ts";
import { savedTitle } from "./lecture/titles.ts";
import { noticeOfCreation, noticeOfLoad } from "./notices.ts";
import type { Recorder } from "./recorder.ts";
import { ApiError, type SessionApi } from "./server-api.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { Stage } from "./session-store.ts";
import { limited, patiently, SerialQueue } from "./timeouts-and-retries.ts";
import type { SessionNotice } from "./types.ts";

/** A new lecture that the server does not make in this time is made when it is recorded. */
const draftMs = 10_000;

interface Deps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  stage: Stage;
  recorder: Recorder;
}

/** The long operations of a session, one after the other: start, stop, save, load and reset. */
export class Operations {
  readonly #deps: Deps;
  readonly #queue: SerialQueue;
  #starting: AbortController | null = null;
  /** Counts loads and resets, so that an overtaken one shows nothing. */
  #visit = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#queue = new SerialQueue(deps.ports.log);
  }

  record(): Promise<void> {
    const { stage } = this.#deps;
    if (!stage.send({ type: "recordAsked" })) return this.#queue.tail;
    const starting = new AbortController();
    this.#starting = starting;
    return this.#run(() => this.#start(starting));
  }

  stop(): Promise<void> {
    const { stage, recorder } = this.#deps;
    if (!stage.send({ type: "stopAsked" })) return this.#queue.tail;
    this.#starting?.abort();
    return this.#run(async () => {
      const ran = await recorder.halt(stage.current, stopWaitMs);
      if (ran) stage.current.heard = true;
      stage.send({ type: "stopped", content: ran || stage.current.resumable });
      if (ran) stage.notify({ kind: "recordingPaused" });
    });
  }

  canSave(): boolean {
    const notice = this.#unsavable();
    if (notice === null) return true;
    this.#deps.stage.notify(notice);
    return false;
  }

  save(title: string): Promise<void> {
    const { stage, recorder } = this.#deps;
    const { phase } = stage.state;
    if ((phase !== "resting" && phase !== "recording") || !this.canSave()) return this.#queue.tail;
    stage.send({ type: "saveAsked" });
    return this.#run(async () => {
      await recorder.halt(stage.current, saveWaitMs);
      if (await this.#complete(title)) return;
      stage.send({ type: "saveFailed" });
      stage.notify({ kind: "saveFailed" });
    });
  }

  load(id: string): Promise<void> {
    if (this.#deps.identity === "guest") {
      this.#deps.stage.notify({ kind: "signInRequired", for: "lectures" });
      return this.#queue.tail;
    }
    return this.#visitWith(async (isCurrent) => {
      const { api, stage } = this.#deps;
      const before = stage.current;
      const again = before.recordingId === id;
      // The server's copy must not be older than what is on the page, nor the spool's.
      if (again && (before.takes.isVolatile || !(await before.stored.flush(saveWaitMs)))) {
        throw new ApiError("unavailable", true);
      }
      if (!(await stage.shelf.end(id, saveWaitMs))) throw new ApiError("unavailable", true);
      const lecture = await api.getLecture(id);
      if (!isCurrent()) return;
      stage.replace(opened(lecture), !again);
      stage.send({ type: "loaded" });
      stage.shelf.makeWay();
      void stage.current.recover();
    });
  }

  reset(options: { quiet?: boolean } = {}): Promise<void> {
    return this.#visitWith(async (isCurrent) => {
      const { identity, ports, stage } = this.#deps;
      const draft = stage.current;
      // Whoever signs out takes the permission to save along.
      if (options.quiet === true) await stage.shelf.flush(stopWaitMs);
      const reused = options.quiet !== true && draft.stored.created && draft.untouched;
      if (!reused) stage.clear();
      let notice: SessionNotice = {
        kind: identity === "guest" ? "newLectureReadyGuest" : "newLectureCreated",
      };
      if (identity === "user" && options.quiet !== true) {
        notice = await limited(ports.clock, draftMs, (signal) =>
          stage.current.stored.create(signal),
        )
          .then(() => notice)
          .catch(noticeOfCreation);
      }
      if (!isCurrent()) return;
      stage.send({ type: "cleared" });
      if (options.quiet !== true) stage.notify(notice);
    });
  }

  /** Lecture `id` was deleted: nothing of it is finalised or saved any more. */
  deleted(id: string): void {
    const { stage, recorder } = this.#deps;
    if (stage.state.phase === "disposed" || !stage.shelf.discard(id)) return;
    this.#overtake();
    void this.#run(async () => {
      await recorder.silence();
      stage.clear(false);
      stage.send({ type: "cleared" });
    });
  }

  /** Makes a new lecture of what the page and its storage have of lecture `id`, while that is open. */
  keepAsNew(id: string): Promise<void> {
    const { identity, ports, stage } = this.#deps;
    if (identity === "guest" || stage.current.recordingId !== id) return this.#queue.tail;
    return this.#visitWith(async () => {
      stage.current.abandon();
      const before = stage.current;
      const carried = before.carry();
      if (carried === null) stage.clear(false);
      else {
        const live = await ports.loadLivePath();
        await before.adopt();
        stage.replace(carriedOver(ports.newId(), carried), false, (next) =>
          before.moveTakesTo(next, live),
        );
      }
      stage.send({ type: carried === null ? "cleared" : "loaded" });
      const notice = await stage.current.stored
        .create()
        .then((): SessionNotice => ({ kind: "newLectureCreated" }))
        .catch(noticeOfCreation);
      if (stage.current.stored.created) void stage.current.recover();
      stage.notify(notice);
    });
  }

  adopt(): Promise<void> {
    return this.#visitWith(async () => {
      const { stage } = this.#deps;
      stage.send({ type: "loaded" });
      // Without an answer now it is created when the recording goes on, or at the next return.
      await stage.current.stored
        .create()
        .catch((error: unknown) => stage.notify(noticeOfCreation(error)));
    });
  }

  dispose(): void {
    this.#starting?.abort();
  }

  async #start(starting: AbortController): Promise<void> {
    const { stage, recorder } = this.#deps;
    const workspace = stage.current;
    const resumed = stage.state.resting === "paused" && workspace.resumable;
    const usedUp = await this.#usedUp(starting.signal);
    // Stopped meanwhile, or overtaken.
    if (stage.state.phase !== "starting") return;
    if (usedUp !== null) {
      stage.send({ type: "startFailed", content: workspace.resumable });
      stage.notify(usedUp);
      return;
    }
    const failure = await recorder.start(workspace, starting);
    if (this.#starting === starting) this.#starting = null;
    if (stage.state.phase !== "starting") return;
    if (failure === null) {
      stage.send({ type: "started" });
      stage.notify({ kind: resumed ? "recordingResumed" : "recordingStarted" });
      return;
    }
    // What was said meanwhile stays: continuing goes on with it.
    await recorder.halt(workspace, stopWaitMs);
    stage.send({ type: "startFailed", content: workspace.resumable });
    stage.notify(failure);
  }

  /** What to tell where nothing is left to record; null where something is, or nobody knows. */
  async #usedUp(signal: AbortSignal): Promise<SessionNotice | null> {
    const { identity, stage } = this.#deps;
    if (identity === "guest") {
      return (await stage.guestStaysRefused(signal)) ? { kind: "guestLimitReached" } : null;
    }
    const { allowance } = stage;
    if (!(await allowance.isUsedUp(signal))) return null;
    return { kind: "monthlyLimitReached", limitHours: allowance.limitHours };
  }

  async #complete(typed: string): Promise<boolean> {
    const { api, ports, stage } = this.#deps;
    const workspace = stage.current;
    const { stored, transcript } = workspace;
    const lecture = stored.working;
    // Sound without words is given its time after the lecture has left the screen.
    if (workspace.takes.connection !== "draining") workspace.abandon();
    if (lecture === null || !(await stored.flush(saveWaitMs))) return false;
    const { clock } = ports;
    const title = savedTitle(typed, transcript.store.english(), lecture.title, clock.now());
    try {
      await patiently(clock, () => api.completeLecture({ id: lecture.id, title }));
    } catch {
      return false;
    }
    const words = transcript.store.wordCount.get();
    const waitingSeconds = workspace.hasUnsentAudio ? Math.max(1, workspace.unsentSeconds) : 0;
    stage.clear();
    stage.send({ type: "saved" });
    stage.notify({ kind: "lectureSaved", words, waitingSeconds });
    return true;
  }

  #overtake(): number {
    this.#deps.stage.send({ type: "loadAsked" });
    this.#visit += 1;
    this.#starting?.abort();
    return this.#visit;
  }

  /** Stops and saves what is open, then lets `show` bring up something else. */
  #visitWith(show: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const { stage, recorder } = this.#deps;
    if (stage.state.phase === "disposed") return this.#queue.tail;
    const visit = this.#overtake();
    const isCurrent = () => this.#visit === visit && stage.state.phase === "loading";
    return this.#run(async () => {
      if (await recorder.halt(stage.current, stopWaitMs)) {
        stage.notify({ kind: "recordingStopped" });
      }
      if (!isCurrent()) return;
      try {
        await show(isCurrent);
      } catch (error) {
        if (!isCurrent()) return;
        stage.send({ type: "loadFailed", content: stage.current.resumable });
        stage.notify(noticeOfLoad(error));
      }
    });
  }

  #unsavable(): SessionNotice | null {
    const { identity, stage } = this.#deps;
    if (identity === "guest") return { kind: "signInRequired", for: "save" };
    if (stage.current.stored.working === null) return { kind: "noActiveLecture" };
    return stage.current.hasContent ? null : { kind: "noContent", for: "save" };
  }

  #run(operation: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#deps.stage.state.phase !== "disposed") await operation();
    });
  }
}
