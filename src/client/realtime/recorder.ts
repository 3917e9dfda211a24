import { ApiError } from "#client/lib/api-error.ts";
import type { ChunkEncoder } from "./audio/chunk-encoder.ts";
import type { MicrophoneDevices } from "./audio/devices.ts";
import type { Microphone } from "./audio/microphone.ts";
import type { LivePath } from "./live-path.ts";
import type { SessionNotice } from "./notices.ts";
import { toCreateNotice, toRecognitionNotice, toStartNotice } from "./notices.ts";
import type { OpenLecture } from "./open-lecture.ts";
import { RecognitionError } from "./recognition/web-speech.ts";
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

  constructor(private readonly deps: Deps) {}

  get isCapturing(): boolean {
    return this.#isCapturing;
  }

  /**
   * Opens the microphone, and in parallel the room or the browser's recognition. Returns the notice of a
   * failure; null on success or abort.
   */
  async start(
    lecture: OpenLecture,
    speechEngine: SpeechEngine,
    starting: AbortController,
  ): Promise<SessionNotice | null> {
    const { devices, microphone, ports, store } = this.deps;
    const { signal } = starting;
    let encoder: ChunkEncoder;
    if (!ports.audio.isSupported()) return { kind: "notSupported" };
    try {
      const live = await withTimeout(ports.clock, loadTimeoutMs, ports.loadLivePath, signal);
      if (speechEngine === "browser") return await this.#startRecognition(lecture, live, signal);
      const codec = await live.findCodec();
      await lecture.startTake(live, codec);
      encoder = live.createEncoder(codec, {
        chunk: (data, level) => lecture.appendAudio(data, level),
        changeCodec: (next) => lecture.takes.changeCodec(live, next),
      });
    } catch {
      return signal.aborted ? null : { kind: "codeNotLoaded" };
    }
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      if (!signal.aborted) failure = notice;
      starting.abort();
    };
    const openRoom = async () => {
      const refusal = await store.findRefusal(signal);
      if (refusal === null) return this.#openRoom(lecture, signal);
      if (signal.aborted) return;
      lecture.takes.discardTake();
      fail(refusal);
    };
    await Promise.all([
      microphone
        .open(encoder, signal)
        // The permission was granted: the browser now lists its devices with labels.
        .then(() => devices.refresh())
        .catch((error: unknown) => fail(toStartNotice(error))),
      openRoom().catch((error: unknown) => fail(toCreateNotice(error))),
    ]);
    this.#isCapturing = microphone.state !== "off";
    if (this.#isCapturing && !signal.aborted) this.#releaseWakeLock = ports.page.keepAwake();
    return failure;
  }

  /** The microphone's audio is only measured: the browser's engine listens to the device itself. */
  async #startRecognition(
    lecture: OpenLecture,
    live: LivePath,
    signal: AbortSignal,
  ): Promise<SessionNotice | null> {
    const { devices, microphone, ports, store } = this.deps;
    void store.room.requestGuestTicket();
    const engine = await live.prepareRecognition();
    if (signal.aborted) return null;
    if (engine === null) return toRecognitionNotice("refused");
    try {
      if (!engine.opensMicrophone) {
        await microphone.open(null, signal);
        devices.refresh();
      }
    } catch (error) {
      return signal.aborted ? null : toStartNotice(error);
    }
    const stop = () => lecture.closeConnection();
    signal.addEventListener("abort", stop);
    try {
      const recognizing = lecture.startRecognition(live, engine, () => microphone.track);
      await Promise.all([recognizing, this.#createDraftIfReachable(lecture, signal)]);
    } catch (error) {
      stop();
      await this.closeMicrophone();
      if (signal.aborted) return null;
      return error instanceof RecognitionError
        ? toRecognitionNotice(error.reason)
        : toCreateNotice(error);
    } finally {
      signal.removeEventListener("abort", stop);
    }
    if (signal.aborted) return null;
    this.#isCapturing = true;
    this.#releaseWakeLock = ports.page.keepAwake();
    return null;
  }

  /** Stops capturing and waits up to `waitMs` for words and translations. True when it was capturing. */
  async stop(lecture: OpenLecture, waitMs: number): Promise<boolean> {
    const { identity, store } = this.deps;
    const wasCapturing = this.#isCapturing;
    const isConnected = lecture.connection !== "idle";
    // Before the microphone is closed: the browser still recognises the last words.
    await lecture.recognition.stop();
    await this.closeMicrophone();
    lecture.endTake();
    const isUnsaved = lecture.hasUnsentAudio || lecture.hasContent;
    if (isUnsaved && !lecture.stored.isCreated) await this.#createLecture(lecture);
    const canSend = lecture.stored.isCreated || identity === "guest";
    const drains = isConnected || (lecture.hasUnsentAudio && canSend);
    if (drains || lecture.hasPendingText) {
      if (wasCapturing && lecture.hasPendingText && lecture.writer.language !== "none") {
        store.notify({ kind: "finalizingTranslations" });
      }
      store.lectures.yieldConnection();
      await lecture.finish(waitMs);
    }
    await lecture.stored.flush(flushWaitMs);
    return wasCapturing;
  }

  /** Closes the microphone; its last chunk has arrived when this resolves. */
  async closeMicrophone(): Promise<void> {
    this.#releaseWakeLock();
    this.#releaseWakeLock = () => {};
    await this.deps.microphone.close();
    this.#isCapturing = false;
  }

  /** Audio captured before the lecture existed can only be transcribed once it does. */
  async #createLecture(lecture: OpenLecture): Promise<void> {
    const { clock, log } = this.deps.ports;
    try {
      await withTimeout(clock, flushWaitMs, (signal) => lecture.stored.create(signal));
    } catch {
      log.warn("lecture of captured sound not created yet");
    }
  }

  async #openRoom(lecture: OpenLecture, outer: AbortSignal): Promise<void> {
    const { store } = this.deps;
    if (outer.aborted) return;
    await this.#createDraft(lecture, outer);
    if (outer.aborted) return;
    store.lectures.yieldConnection();
    lecture.startStreaming();
  }

  /** The browser may recognise without a network; the lecture is created when there is one. @throws ApiError */
  async #createDraftIfReachable(lecture: OpenLecture, outer: AbortSignal): Promise<void> {
    try {
      await this.#createDraft(lecture, outer, recognitionCreateTimeoutMs);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable) throw error;
      this.deps.ports.log.warn("lecture of recognised speech not created yet");
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
