import { ApiError } from "#client/lib/call-server.ts";
import type { ChunkEncoder } from "./audio/chunk-encoder.ts";
import type { MicrophoneDevices } from "./audio/devices.ts";
import type { Microphone } from "./audio/microphone.ts";
import type { LivePath } from "./live-path.ts";
import type { SessionNotice } from "./notices.ts";
import { toCreateNotice, toStartNotice } from "./notices.ts";
import type { OpenLecture } from "./open-lecture.ts";
import type { RecognitionEngine } from "./recognition/recognition-engine.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { SessionStore } from "./session-store.ts";
import type { SpeechEngine } from "./session-types.ts";
import { withTimeout } from "./timeouts-and-retries.ts";

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
  devices: MicrophoneDevices;
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
    lecture: OpenLecture,
    speechEngine: SpeechEngine,
    starting: AbortController,
  ): Promise<SessionNotice | null> {
    const { devices, microphone, ports, store } = this.deps;
    const { signal } = starting;
    if (!ports.audio.isSupported()) return { kind: "notSupported" };
    let live: LivePath;
    let recognition: RecognitionEngine | null = null;
    let encoder: ChunkEncoder | null = null;
    try {
      live = await withTimeout(ports.clock, loadTimeoutMs, ports.loadLivePath, signal);
      if (speechEngine === "browser")
        recognition = await live.prepareRecognition(lecture.languages);
      if (recognition?.opensMicrophone !== true)
        encoder = await this.#startTake(lecture, live, speechEngine);
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
      // The permission was granted: the browser now lists its devices with labels.
      devices.refresh();
    };
    const openRoom = async () => {
      const refusal = await store.findRefusal(signal);
      if (refusal === null) return this.#openRoom(lecture, speechEngine, signal);
      if (signal.aborted) return;
      lecture.takes.discardTake();
      fail(refusal);
    };
    const opening = openMicrophone().catch((error: unknown) => fail(toStartNotice(error)));
    const readHere = async () => {
      void store.room.requestGuestTicket();
      await this.#createDraftIfReachable(lecture, signal);
      if (signal.aborted) return;
      store.lectures.yieldConnection();
      lecture.startStreaming(speechEngine);
    };
    let isListening = false;
    const recognize = async () => {
      await opening;
      if (signal.aborted) return;
      void store.room.requestGuestTicket();
      const cancel = () => lecture.recognition.dispose();
      signal.addEventListener("abort", cancel);
      const listen = async () => {
        await lecture.startRecognition(live, recognition, () => microphone.track);
        // From here on words are shown: a stop waits for the last ones.
        signal.removeEventListener("abort", cancel);
        isListening = !signal.aborted;
      };
      await Promise.all([listen(), this.#createDraftIfReachable(lecture, signal)]);
    };
    const connect = { service: openRoom, demo: openRoom, browser: recognize, device: readHere };
    const connecting = connect[speechEngine]();
    await Promise.all([opening, connecting.catch((error: unknown) => fail(toCreateNotice(error)))]);
    const isCancelled = signal.aborted && speechEngine === "browser" && !isListening;
    if (isCancelled) lecture.takes.discardTake();
    this.#isCapturing = !isCancelled && (encoder === null || microphone.state !== "off");
    if (this.#isCapturing && !signal.aborted) this.#releaseWakeLock = ports.page.keepAwake();
    return failure;
  }

  async #startTake(
    lecture: OpenLecture,
    live: LivePath,
    engine: SpeechEngine,
  ): Promise<ChunkEncoder> {
    // The model reads PCM. Sound that is kept is smaller as Opus.
    const isPcm = engine === "device" && !lecture.keepsSound;
    const codec = isPcm ? "pcm_s16le" : await live.findCodec();
    await lecture.startTake(live, codec, engine);
    return live.createEncoder(codec, {
      chunk: (data, level) => lecture.appendAudio(data, level),
      changeCodec: (next) => lecture.takes.changeCodec(live, next),
    });
  }

  /**
   * The browser's engine, which had the microphone to itself, has failed: the sound is captured for another one. False:
   * it cannot be, and the notice was sent.
   */
  captureInstead(lecture: OpenLecture): Promise<boolean> {
    this.#instead = this.#captureInstead(lecture);
    return this.#instead;
  }

  async #captureInstead(lecture: OpenLecture): Promise<boolean> {
    const { devices, microphone, ports, store } = this.deps;
    const { signal } = this.#opening;
    try {
      const live = await ports.loadLivePath();
      const encoder = await this.#startTake(lecture, live, "browser");
      lecture.endHeard();
      await microphone.open(encoder, signal);
      devices.refresh();
    } catch (error) {
      if (!signal.aborted) {
        store.notify(toStartNotice(error));
        return false;
      }
      lecture.endTake();
    }
    return true;
  }

  /** Creates the lecture on the server where `engine` needs it. False: that failed, and the notice was sent. */
  async prepareFor(lecture: OpenLecture, engine: SpeechEngine): Promise<boolean> {
    const { signal } = new AbortController();
    try {
      if (engine === "device") await this.#createDraftIfReachable(lecture, signal);
      else if (engine !== "browser") await this.#createDraft(lecture, signal);
      return true;
    } catch (error) {
      this.deps.store.notify(toCreateNotice(error));
      return false;
    }
  }

  /** Has `engine` recognise from where words are missing, and what is captured from now on. After `prepareFor`. */
  async recognizeWith(lecture: OpenLecture, engine: SpeechEngine): Promise<void> {
    const { microphone, ports, store } = this.deps;
    try {
      const live = await ports.loadLivePath();
      if (engine !== "browser") {
        store.lectures.yieldConnection();
        lecture.recognizeWith(live, engine);
      } else if (this.#isCapturing) {
        const recognition = await live.prepareRecognition(lecture.languages);
        await lecture.leaveRecognition();
        await lecture.takes.splitTake(live);
        // A stop does not wait until the browser listens.
        void lecture.startRecognition(live, recognition, () => microphone.track);
      }
    } catch (error) {
      store.notify(toCreateNotice(error));
    }
  }

  /** Stops capturing; the last sound is in its take when this resolves. True when it was capturing. */
  async stop(lecture: OpenLecture): Promise<boolean> {
    const wasCapturing = this.#isCapturing;
    // Before the microphone is closed: the browser still recognises the last words.
    await lecture.recognition.stop();
    await this.closeMicrophone();
    lecture.endTake();
    return wasCapturing;
  }

  /**
   * Waits up to `waitMs`, or until `signal` aborts, for the last words and translations of the stopped recording, and
   * saves them. Sound captured before the lecture existed is transcribed as soon as it does, also afterwards. `notifies`: says so where translations are missing.
   */
  async finish(
    lecture: OpenLecture,
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
      lecture.document.hasPendingText &&
      lecture.writer.languages.targetLanguage !== "none"
    )
      store.notify({ kind: "finalizingTranslations" });
    const isUnsaved = lecture.hasUnsentAudio || lecture.document.hasContent;
    if (isUnsaved && !lecture.stored.isCreated) {
      const creating = lecture.stored.create();
      await withTimeout(ports.clock, flushWaitMs, () => creating, signal).catch(() => {
        ports.log.warn("lecture of captured sound not created yet");
        const finish = () => {
          const isLeft = lecture !== store.current || lecture.takes.isCapturing;
          if (!isLeft) void this.finish(lecture, { waitMs, notifies: false });
        };
        creating.then(finish, () => {});
      });
    }
    if (signal?.aborted === true) return;
    const canSend = lecture.stored.isCreated || identity === "guest";
    const drains = lecture.connection !== "idle" || (lecture.hasSendableAudio && canSend);
    if (drains || lecture.document.hasPendingText) {
      store.lectures.yieldConnection(lecture);
      await lecture.finish(waitMs, answeringMs, signal);
    }
    await lecture.stored.flush(flushWaitMs);
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

  async #openRoom(lecture: OpenLecture, engine: SpeechEngine, outer: AbortSignal): Promise<void> {
    const { store } = this.deps;
    if (outer.aborted) return;
    await this.#createDraft(lecture, outer);
    if (outer.aborted) return;
    store.lectures.yieldConnection();
    lecture.startStreaming(engine);
  }

  /** The browser recognises also while the server does not answer: the lecture is created when it does. @throws ApiError */
  async #createDraftIfReachable(lecture: OpenLecture, outer: AbortSignal): Promise<void> {
    try {
      await this.#createDraft(lecture, outer, recognitionCreateTimeoutMs);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) throw error;
      this.deps.ports.log.warn("lecture of recognised speech not created yet");
      if (!outer.aborted) lecture.stored.createLater();
    }
  }

  /** A guest's lecture exists on the page only. @throws ApiError */
  async #createDraft(
    lecture: OpenLecture,
    outer: AbortSignal,
    timeoutMs = createTimeoutMs,
  ): Promise<void> {
    const { identity, ports } = this.deps;
    if (identity === "guest") return;
    const create = (signal: AbortSignal) => lecture.stored.create(signal);
    await withTimeout(ports.clock, timeoutMs, create, outer);
  }
}
