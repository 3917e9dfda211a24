import { ApiError } from "#client/lib/call-server.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { RecognitionEngine } from "#client/recognition/browser/recognition-engine.ts";
import type { LivePath } from "#client/recognition/live-path.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import { getWantedSound } from "#client/recognition/wanted-sound.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import { toCreateNotice, toStartNotice } from "#client/recorder/notices.ts";
import type { ChunkEncoder } from "#client/sound/capture/chunk-encoder.ts";
import type { Microphone } from "#client/sound/capture/microphone.ts";
import type { LectureRecording } from "./lecture-recording.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { SessionStore } from "./session-store.ts";

/** How long a stop waits for the last save, which goes on by itself afterwards. */
const flushWaitMs = 3_000;
/** How long a start waits for its lecture to be created; audio is captured meanwhile. */
const createTimeoutMs = 20_000;
/** The same where the browser recognises: it needs no lecture on the server. */
const recognitionCreateTimeoutMs = 3_000;
/** How long a start waits for the code of the live path. */
const loadTimeoutMs = 15_000;

interface Deps {
  ports: SessionPorts;
  identity: "user" | "guest";
  microphone: Microphone;
  store: SessionStore;
}

/**
 * Starts and stops the capture of a lecture. What happens to the chunks is the lecture's work
 * (`LectureTakes`).
 */
export class Recorder {
  #isCapturing = false;
  #releaseWakeLock: () => void = () => {};
  /** Aborts `captureInstead` when the microphone is closed. */
  #opening = new AbortController();
  /** The last `captureInstead`. */
  #instead = Promise.resolve(true);

  constructor(private readonly deps: Deps) {}

  get isCapturing(): boolean {
    return this.#isCapturing;
  }

  /**
   * Opens the microphone, and then the browser's recognition or in parallel the room. Returns the notice of a
   * failure; null on success or abort. An engine that fails is no failure: the sound is captured for another one.
   */
  async start(
    recording: LectureRecording,
    speechEngine: SpeechEngine,
    starting: AbortController,
  ): Promise<SessionNotice | null> {
    const { microphone, ports, store } = this.deps;
    const { signal } = starting;
    if (!ports.audio.isSupported()) return { kind: "notSupported" };
    let live: LivePath;
    let recognition: RecognitionEngine | null = null;
    let encoder: ChunkEncoder | null = null;
    try {
      live = await withTimeout(ports.clock, loadTimeoutMs, ports.loadLivePath, signal);
      if (speechEngine === "browser")
        recognition = await live.prepareRecognition(recording.languages);
      if (recognition?.opensMicrophone !== true)
        encoder = await this.#startTake(recording, live, speechEngine);
    } catch {
      return signal.aborted ? null : { kind: "codeNotLoaded" };
    }
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      if (!signal.aborted) failure = notice;
      starting.abort();
    };
    const openMicrophone = async () => {
      if (encoder === null) return;
      await microphone.open(encoder, signal);
    };
    const openRoom = async () => {
      const refusal = await store.findRefusal(signal);
      if (refusal === null) return this.#openRoom(recording, speechEngine, signal);
      if (signal.aborted) return;
      recording.takes.discardTake();
      fail(refusal);
    };
    const opening = openMicrophone().catch((error: unknown) => fail(toStartNotice(error)));
    const readHere = async () => {
      void store.room.requestGuestTicket();
      await this.#createDraftIfReachable(recording, signal);
      if (signal.aborted) return;
      store.recordings.yieldConnection();
      recording.startStreaming(speechEngine);
    };
    let isListening = false;
    const recognize = async () => {
      await opening;
      if (signal.aborted) return;
      void store.room.requestGuestTicket();
      const cancel = () => recording.recognition.dispose();
      signal.addEventListener("abort", cancel);
      const listen = async () => {
        await recording.startRecognition(live, recognition, () => microphone.track);
        // From here on words are shown: a stop waits for the last ones.
        signal.removeEventListener("abort", cancel);
        isListening = !signal.aborted;
      };
      await Promise.all([listen(), this.#createDraftIfReachable(recording, signal)]);
    };
    const connect = { service: openRoom, demo: openRoom, browser: recognize, device: readHere };
    const connecting = connect[speechEngine]();
    await Promise.all([opening, connecting.catch((error: unknown) => fail(toCreateNotice(error)))]);
    const isCancelled = signal.aborted && speechEngine === "browser" && !isListening;
    if (isCancelled) recording.takes.discardTake();
    this.#isCapturing = !isCancelled && (encoder === null || microphone.state !== "off");
    if (this.#isCapturing && !signal.aborted) this.#releaseWakeLock = ports.page.keepAwake();
    return failure;
  }

  async #startTake(
    recording: LectureRecording,
    live: LivePath,
    engine: SpeechEngine,
  ): Promise<ChunkEncoder> {
    const wanted = getWantedSound(engine, recording.keepsSound).codec;
    const codec = wanted === "smallest" ? await live.findCodec() : wanted;
    await recording.startTake(live, codec, engine);
    return live.createEncoder(codec, {
      chunk: (data, level) => recording.appendAudio(data, level),
      changeCodec: (next) => recording.takes.changeCodec(live, next),
    });
  }

  /**
   * The browser's engine, which had the microphone to itself, has failed: the sound is captured for another one. False:
   * it cannot be, and the notice was sent.
   */
  captureInstead(recording: LectureRecording): Promise<boolean> {
    this.#instead = this.#captureInstead(recording);
    return this.#instead;
  }

  async #captureInstead(recording: LectureRecording): Promise<boolean> {
    const { microphone, ports, store } = this.deps;
    const { signal } = this.#opening;
    try {
      const live = await ports.loadLivePath();
      const encoder = await this.#startTake(recording, live, "browser");
      recording.endHeard();
      await microphone.open(encoder, signal);
    } catch (error) {
      if (!signal.aborted) {
        store.notify(toStartNotice(error));
        return false;
      }
      recording.endTake();
    }
    return true;
  }

  /** Creates the lecture on the server where `engine` needs it. False: that failed, and the notice was sent. */
  async prepareFor(recording: LectureRecording, engine: SpeechEngine): Promise<boolean> {
    const { signal } = new AbortController();
    try {
      if (engine === "device") await this.#createDraftIfReachable(recording, signal);
      else if (engine !== "browser") await this.#createDraft(recording, signal);
      return true;
    } catch (error) {
      this.deps.store.notify(toCreateNotice(error));
      return false;
    }
  }

  /** Has `engine` recognise from where words are missing, and what is captured from now on. After `prepareFor`. */
  async recognizeWith(recording: LectureRecording, engine: SpeechEngine): Promise<void> {
    const { microphone, ports, store } = this.deps;
    try {
      const live = await ports.loadLivePath();
      if (engine !== "browser") {
        store.recordings.yieldConnection();
        recording.recognizeWith(live, engine);
      } else if (this.#isCapturing) {
        const recognition = await live.prepareRecognition(recording.languages);
        await recording.leaveRecognition();
        await recording.takes.splitTake(live);
        // A stop does not wait until the browser listens.
        void recording.startRecognition(live, recognition, () => microphone.track);
      }
    } catch (error) {
      store.notify(toCreateNotice(error));
    }
  }

  /** Stops capturing; the last sound is in its take when this resolves. True when it was capturing. */
  async stop(recording: LectureRecording): Promise<boolean> {
    const wasCapturing = this.#isCapturing;
    // Before the microphone is closed: the browser still recognises the last words.
    await recording.recognition.stop();
    await this.closeMicrophone();
    recording.endTake();
    return wasCapturing;
  }

  /**
   * Waits up to `waitMs`, or until `signal` aborts, for the last words and translations of the stopped recording, and
   * saves them. Sound captured before the lecture existed is transcribed as soon as it does, also afterwards. `notifies`: says so where translations are missing.
   */
  async finish(
    recording: LectureRecording,
    {
      waitMs,
      answeringMs = waitMs,
      signal,
      notifies,
    }: { waitMs: number; answeringMs?: number; signal?: AbortSignal; notifies: boolean },
  ): Promise<void> {
    const { identity, ports, store } = this.deps;
    if (
      notifies &&
      recording.lecture.hasPendingText &&
      recording.writer.languages.targetLanguage !== "none"
    )
      store.notify({ kind: "finalizingTranslations" });
    const isUnsaved = recording.hasUnsentAudio || recording.lecture.hasContent;
    if (isUnsaved && !recording.stored.isCreated) {
      const creating = recording.stored.create();
      await withTimeout(ports.clock, flushWaitMs, () => creating, signal).catch(() => {
        ports.log.warn("lecture of captured sound not created yet");
        const finish = () => {
          const isLeft = recording !== store.current || recording.takes.isCapturing;
          if (!isLeft) void this.finish(recording, { waitMs, notifies: false });
        };
        creating.then(finish, () => {});
      });
    }
    if (signal?.aborted === true) return;
    const canSend = recording.stored.isCreated || identity === "guest";
    const drains = recording.connection !== "idle" || (recording.hasSendableAudio && canSend);
    if (drains || recording.lecture.hasPendingText) {
      store.recordings.yieldConnection(recording);
      await recording.finish(waitMs, answeringMs, signal);
    }
    await recording.stored.flush(flushWaitMs);
  }

  /** Closes the microphone; its last chunk has arrived when this resolves. */
  async closeMicrophone(): Promise<void> {
    this.#releaseWakeLock();
    this.#releaseWakeLock = () => {};
    this.#opening.abort();
    this.#opening = new AbortController();
    // It would take the microphone of the next recording.
    await this.#instead;
    await this.deps.microphone.close();
    this.#isCapturing = false;
  }

  async #openRoom(
    recording: LectureRecording,
    engine: SpeechEngine,
    outer: AbortSignal,
  ): Promise<void> {
    const { store } = this.deps;
    if (outer.aborted) return;
    await this.#createDraft(recording, outer);
    if (outer.aborted) return;
    store.recordings.yieldConnection();
    recording.startStreaming(engine);
  }

  /** The browser recognises also while the server does not answer: the lecture is created when it does. @throws ApiError */
  async #createDraftIfReachable(recording: LectureRecording, outer: AbortSignal): Promise<void> {
    try {
      await this.#createDraft(recording, outer, recognitionCreateTimeoutMs);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) throw error;
      this.deps.ports.log.warn("lecture of recognised speech not created yet");
      if (!outer.aborted) recording.stored.createLater();
    }
  }

  /** A guest's lecture exists on the page only. @throws ApiError */
  async #createDraft(
    recording: LectureRecording,
    outer: AbortSignal,
    timeoutMs = createTimeoutMs,
  ): Promise<void> {
    const { identity, ports } = this.deps;
    if (identity === "guest") return;
    const create = (signal: AbortSignal) => recording.stored.create(signal);
    await withTimeout(ports.clock, timeoutMs, create, outer);
  }
}
