import { ApiError } from "#client/lib/api-error.ts";
import { saveWaitMs, stopWaitMs } from "#shared/limits.ts";
import { createStateFromLecture, createStateFromTransfer } from "./lecture/initial-state.ts";
import { formatSavedTitle } from "./lecture/titles.ts";
import { createTransfer } from "./lecture/transfer.ts";
import type { SessionNotice } from "./notices.ts";
import { toCreateNotice, toLoadNotice } from "./notices.ts";
import type { Recorder } from "./recorder.ts";
import type { SessionApi } from "./server-api.ts";
import type { SessionEngines, SessionPorts } from "./session-ports.ts";
import type { SessionStore } from "./session-store.ts";
import { isRoomEngine, type SpeechEngine } from "./session-types.ts";
import { withTimeout } from "./timeouts-and-retries.ts";

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

/**
 * Runs a session's commands one at a time: record, stop, save, load, reset. Each moves the phase in
 * `SessionStore`; the rules of the phases are in session-state.ts.
 */
export class SessionCommands {
  /** Resolves when every command so far has run. Never rejects. */
  #tail: Promise<void> = Promise.resolve();
  #starting: AbortController | null = null;
  /** Counts switches of the lecture, so that an outdated one shows nothing. */
  #switchCount = 0;

  constructor(private readonly deps: Deps) {}

  record(engine?: SpeechEngine): Promise<void> {
    const { store } = this.deps;
    if (!store.dispatch({ type: "recordRequested" })) return this.#tail;
    const starting = new AbortController();
    this.#starting = starting;
    return this.#enqueue(() => this.#startRecording(starting, engine));
  }

  recognizeWith(engine: SpeechEngine): Promise<void> {
    const { store, recorder } = this.deps;
    return this.#enqueue(async () => {
      const { phase } = store.state;
      if (phase !== "recording" && phase !== "idle") return;
      store.setSpeechEngine(engine);
      await recorder
        .recognizeWith(store.current, engine)
        .catch((error: unknown) => store.notify(toCreateNotice(error)));
    });
  }

  stop(): Promise<void> {
    const { store, recorder } = this.deps;
    if (!store.dispatch({ type: "stopRequested" })) return this.#tail;
    this.#starting?.abort();
    return this.#enqueue(async () => {
      const wasCapturing = await recorder.stop(store.current, stopWaitMs);
      if (wasCapturing) store.current.hasRecording = true;
      store.dispatch({ type: "stopped", hasContent: wasCapturing || store.current.canResume });
      if (wasCapturing) store.notify({ kind: "recordingPaused" });
    });
  }

  canSave(): boolean {
    const notice = this.#findSaveObstacle();
    if (notice === null) return true;
    this.deps.store.notify(notice);
    return false;
  }

  save(title: string, folderId?: string | null): Promise<void> {
    const { store, recorder } = this.deps;
    const { phase } = store.state;
    if ((phase !== "idle" && phase !== "recording") || !this.canSave()) return this.#tail;
    store.dispatch({ type: "saveRequested" });
    return this.#enqueue(async () => {
      if (await recorder.stop(store.current, saveWaitMs)) store.current.hasRecording = true;
      const { hasContent, hasUnsentAudio } = store.current;
      const notice: SessionNotice =
        hasContent || hasUnsentAudio
          ? await this.#completeLecture(title, folderId)
          : { kind: "noContent", for: "save" };
      store.dispatch({ type: "saveEnded" });
      store.notify(notice);
    });
  }

  load(id: string): Promise<void> {
    if (this.deps.identity === "guest") {
      this.deps.store.notify({ kind: "signInRequired", for: "lectures" });
      return this.#tail;
    }
    return this.#switchLecture(async (isCurrent) => {
      const { api, store } = this.deps;
      const before = store.current;
      const isSame = before.lectureId === id;
      // Neither the server's copy nor the stored takes may be older than the page.
      if (
        isSame &&
        (before.takes.hasUnpersistedAudio || !(await before.stored.flush(saveWaitMs)))
      ) {
        throw new ApiError("unavailable", true);
      }
      if (!(await store.lectures.close(id, saveWaitMs))) throw new ApiError("unavailable", true);
      const lecture = await api.getLecture(id);
      if (!isCurrent()) return;
      store.replaceLecture(createStateFromLecture(lecture), !isSame);
      store.dispatch({ type: "loaded" });
      void store.lectures.recoverAudio();
    });
  }

  reset(options: { quiet?: boolean } = {}): Promise<void> {
    return this.#switchLecture(async (isCurrent) => {
      const { identity, ports, store } = this.deps;
      const draft = store.current;
      // After a sign-out nothing can be saved any more.
      if (options.quiet === true) await store.lectures.flush(stopWaitMs);
      const reused = options.quiet !== true && draft.stored.isCreated && draft.isEmpty;
      if (!reused) store.showEmptyLecture();
      let notice: SessionNotice = {
        kind: identity === "guest" ? "newLectureReadyGuest" : "newLectureCreated",
      };
      if (identity === "user" && options.quiet !== true) {
        notice = await withTimeout(ports.clock, createTimeoutMs, (signal) =>
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

  /** Stops transcribing and saving lecture `id`, which was deleted. */
  onLectureDeleted(id: string): void {
    const { store, recorder } = this.deps;
    if (store.state.phase === "disposed" || !store.lectures.discard(id)) return;
    this.#beginSwitch();
    void this.#enqueue(async () => {
      await recorder.closeMicrophone();
      store.showEmptyLecture(false);
      store.dispatch({ type: "cleared" });
    });
  }

  /** Saves the open lecture `id`, with its unsent audio, as a new lecture. */
  keepAsNewLecture(id: string): Promise<void> {
    const { identity, ports, store } = this.deps;
    if (identity === "guest" || store.current.lectureId !== id) return this.#tail;
    return this.#switchLecture(async () => {
      store.current.closeConnection();
      const before = store.current;
      const transfer = createTransfer(before.document, before.recordedSeconds);
      if (transfer === null) store.showEmptyLecture(false);
      else {
        const live = await ports.loadLivePath();
        await before.adoption.adopt();
        store.replaceLecture(createStateFromTransfer(ports.newId(), transfer), false, (next) =>
          next.adoption.track(before.takes.moveTo(next.takes, live)),
        );
      }
      store.dispatch({ type: transfer === null ? "cleared" : "loaded" });
      const notice = await store.current.stored
        .create()
        .then((): SessionNotice => ({ kind: "newLectureCreated" }))
        .catch(toCreateNotice);
      if (store.current.stored.isCreated) void store.lectures.recoverAudio();
      store.notify(notice);
    });
  }

  /** Creates the lecture of a guest's transcript, which is open already, on the server. */
  createFromTransfer(): Promise<void> {
    return this.#switchLecture(async () => {
      const { store } = this.deps;
      store.dispatch({ type: "loaded" });
      const { stored } = store.current;
      // If this fails it is created by the next recording or the next `wake`.
      const notice = await stored
        .create()
        .then((): SessionNotice => ({ kind: "newLectureCreated" }))
        .catch(toCreateNotice);
      // The lists are read again at this notice, and show the beginning of the text.
      void stored.flush(saveWaitMs).then(() => store.notify(notice));
    });
  }

  dispose(): void {
    this.#starting?.abort();
  }

  async #startRecording(starting: AbortController, requested?: SpeechEngine): Promise<void> {
    const { store, recorder } = this.deps;
    const lecture = store.current;
    const isResuming = store.state.idleStatus === "paused" && lecture.canResume;
    const engine = requested ?? (await this.deps.selectSpeech().catch(() => "service" as const));
    store.setSpeechEngine(engine);
    // Only the room's work is charged.
    const exhausted = !isRoomEngine(engine)
      ? null
      : await this.#findExhaustedAllowance(starting.signal);
    // Stopped meanwhile, or another lecture is being opened.
    if (store.state.phase !== "starting") return;
    if (exhausted !== null) {
      store.dispatch({ type: "startFailed", hasContent: lecture.canResume });
      store.notify(exhausted);
      return;
    }
    const failure = await recorder.start(lecture, engine, starting);
    if (this.#starting === starting) this.#starting = null;
    if (store.state.phase !== "starting") return;
    if (failure === null) {
      store.dispatch({ type: "started" });
      store.notify({ kind: isResuming ? "recordingResumed" : "recordingStarted" });
      return;
    }
    // Audio captured meanwhile is kept for Continue.
    await recorder.stop(lecture, stopWaitMs);
    store.dispatch({ type: "startFailed", hasContent: lecture.canResume });
    store.notify(failure);
  }

  /** The notice when the allowance is used up; null when it is not, or unknown. */
  async #findExhaustedAllowance(signal: AbortSignal): Promise<SessionNotice | null> {
    const { identity, store } = this.deps;
    if (identity === "guest") {
      return (await store.isGuestAllowanceExhausted(signal)) ? { kind: "guestLimitReached" } : null;
    }
    const { allowance } = store;
    if (!(await allowance.isExhausted(signal))) return null;
    return { kind: "monthlyLimitReached", limitHours: allowance.limitHours };
  }

  /** Returns the notice of the outcome. Audio that is still unsent is sent afterwards. */
  async #completeLecture(enteredTitle: string, folderId?: string | null): Promise<SessionNotice> {
    const { ports, store } = this.deps;
    const lecture = store.current;
    const { stored, writer } = lecture;
    const info = stored.lecture;
    if (info === null || !(await stored.flush(saveWaitMs))) return { kind: "saveFailed" };
    const title = formatSavedTitle(
      enteredTitle,
      writer.transcript.english(),
      info.title,
      ports.clock.now(),
    );
    const isUnchanged = info.titleSource !== "date" && enteredTitle.trim() === info.title;
    const isTyped = enteredTitle.trim() !== "" || info.titleSource === "person";
    // Another device may have named the lecture since the dialog showed its title.
    const titleSource = isTyped && !isUnchanged ? "person" : "proposed";
    try {
      const folder = folderId === undefined ? {} : { folderId };
      await stored.complete({ title, titleSource, ...folder });
    } catch (error) {
      const isFolderMissing = error instanceof ApiError && error.code === "conflict";
      return { kind: isFolderMissing ? "folderMissing" : "saveFailed" };
    }
    const words = writer.transcript.wordCount.get();
    const unsentSeconds = lecture.hasUnsentAudio ? Math.max(1, lecture.unsentSeconds) : 0;
    return { kind: "lectureSaved", words, unsentSeconds };
  }

  /** Enters the phase `loading`, cancels a start and outdates every earlier switch. */
  #beginSwitch(): number {
    this.deps.store.dispatch({ type: "loadRequested" });
    this.#switchCount += 1;
    this.#starting?.abort();
    return this.#switchCount;
  }

  /** Stops and saves the open lecture, then runs `show`, which opens another. */
  #switchLecture(show: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const { store, recorder } = this.deps;
    if (store.state.phase === "disposed") return this.#tail;
    const switchNumber = this.#beginSwitch();
    const isCurrent = () => this.#switchCount === switchNumber && store.state.phase === "loading";
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
    const { identity, store } = this.deps;
    if (identity === "guest") return { kind: "signInRequired", for: "save" };
    if (store.current.stored.lecture === null) return { kind: "noActiveLecture" };
    const { hasContent, hasUnsentAudio, connection } = store.current;
    // What was said may still become words: saving waits for them.
    const hasSound = hasUnsentAudio || connection !== "idle";
    return hasContent || hasSound ? null : { kind: "noContent", for: "save" };
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
