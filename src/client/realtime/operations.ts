import { saveWaitMs, stopWaitMs } from "../../shared/limits.ts";
import { carriedFrom } from "./carried.ts";
import type { SessionNotice } from "./contract.ts";
import { noticeOfCreation, noticeOfLoad } from "./notices.ts";
import { carriedOver, opened } from "./opening.ts";
import { limited, patiently, SerialQueue } from "./patience.ts";
import type { SpooledPart } from "./ports.ts";
import type { Recorder } from "./recorder.ts";
import { ApiError, type SessionApi } from "./session-api.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { Stage } from "./stage.ts";
import { savedTitle } from "./titles.ts";

/** A new lecture that the server does not make in this time is made when it is recorded. */
const draftMs = 10_000;

/** A storage that takes longer to answer is taken for one that does not. */
const readMs = 5_000;

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
  /** The person knows that what earlier visits have left cannot be read. */
  #toldUnreadable = false;
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
      if (again && (before.link.volatile || !(await before.flush(saveWaitMs)))) {
        throw new ApiError("unavailable", true);
      }
      if (!(await stage.shelf.end(id, saveWaitMs))) throw new ApiError("unavailable", true);
      const [lecture, spooled] = await Promise.all([api.getLecture(id), this.#spooled(id)]);
      if (!isCurrent()) return;
      // Sound that cannot be had from there is not to be dropped here.
      if (again && before.link.waits && (spooled ?? []).length === 0)
        throw new ApiError("unavailable", true);
      stage.replace(opened(lecture, spooled ?? []), !again);
      stage.send({ type: "loaded" });
      stage.shelf.makeWay();
      stage.current.recover();
    });
  }

  reset(options: { quiet?: boolean } = {}): Promise<void> {
    return this.#visitWith(async (isCurrent) => {
      const { identity, ports, stage } = this.#deps;
      const draft = stage.current;
      // Whoever signs out takes the permission to save along.
      if (options.quiet === true) await stage.shelf.flush(stopWaitMs);
      const reused = options.quiet !== true && draft.created && draft.untouched;
      if (!reused) stage.clear();
      let notice: SessionNotice = {
        kind: identity === "guest" ? "newLectureReadyGuest" : "newLectureCreated",
      };
      if (identity === "user" && options.quiet !== true) {
        notice = await limited(ports.clock, draftMs, (signal) => stage.current.create(signal))
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
      const carried = carriedFrom(stage.current);
      if (carried === null) stage.clear(false);
      else {
        const stored = (await this.#spooled(id)) ?? [];
        stage.replace(carriedOver(ports.newId(), carried, stored), false);
      }
      stage.send({ type: carried === null ? "cleared" : "loaded" });
      const notice = await stage.current
        .create()
        .then((): SessionNotice => ({ kind: "newLectureCreated" }))
        .catch(noticeOfCreation);
      if (stage.current.created) stage.current.recover();
      stage.notify(notice);
    });
  }

  /** Makes a lecture of the account of what was recorded as a guest. */
  adopt(): Promise<void> {
    return this.#visitWith(async () => {
      const { stage } = this.#deps;
      stage.send({ type: "loaded" });
      // Without an answer now it is created when the recording goes on, or at the next return.
      await stage.current.create().catch((error: unknown) => stage.notify(noticeOfCreation(error)));
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

  /** Saves under a name and clears the screen. */
  async #complete(typed: string): Promise<boolean> {
    const { api, ports, stage } = this.#deps;
    const workspace = stage.current;
    const { lecture, transcript } = workspace;
    // Sound without words is given its time after the lecture has left the screen.
    if (workspace.link.state !== "draining") workspace.abandon();
    if (lecture === null || !(await workspace.flush(saveWaitMs))) return false;
    const { clock } = ports;
    const title = savedTitle(typed, transcript.store.english(), lecture.title, clock.now());
    try {
      await patiently(clock, () => api.completeLecture({ id: lecture.id, title }));
    } catch {
      return false;
    }
    const words = transcript.store.wordCount.get();
    stage.clear();
    stage.send({ type: "saved" });
    stage.notify({ kind: "lectureSaved", words });
    return true;
  }

  /** What an earlier page left. Another page that records this lecture needs its spool for itself. */
  async #spooled(id: string): Promise<readonly SpooledPart[] | null> {
    const { ports, stage } = this.#deps;
    const { claim, clock, spool, log } = ports;
    const release = await claim(id);
    if (release === null) return null;
    try {
      const read = async () => (await spool?.parts(id)) ?? [];
      return await limited(clock, readMs, read);
    } catch {
      log.warn("spool not read");
      // It stays where it is: what is recorded now goes under a key of its own.
      if (!this.#toldUnreadable) stage.notify({ kind: "soundUnreadable" });
      this.#toldUnreadable = true;
      return null;
    } finally {
      release();
    }
  }

  /** What runs gives way to a visit; returns its number. */
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
    if (stage.current.lecture === null) return { kind: "noActiveLecture" };
    return stage.current.hasContent ? null : { kind: "noContent", for: "save" };
  }

  /** Runs `operation` after those before it, unless the session has ended by then. */
  #run(operation: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#deps.stage.state.phase !== "disposed") await operation();
    });
  }
}
