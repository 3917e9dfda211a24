import { Microphone } from "./audio/microphone.ts";
import { toCreateNotice, toStartNotice } from "./notices.ts";
import type { OpenLecture } from "./open-lecture.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { SessionNotice } from "./session-types.ts";
import { withTimeout } from "./timeouts-and-retries.ts";

/** How long a stop waits for the last save, which goes on by itself afterwards. */
const flushWaitMs = 3_000;
/** How long a start waits for its lecture to be created; audio is captured meanwhile. */
const createTimeoutMs = 20_000;
/** How long a start waits for the code of the live path. */
const loadTimeoutMs = 15_000;

interface Deps {
  ports: SessionPorts;
  identity: "user" | "guest";
  microphoneId: string | null;
  onChange(): void;
  onNotice(notice: SessionNotice): void;
  onLost(): void;
  /** The notice for a final refusal by the room; null without one, or when unknown. */
  findRefusal(signal: AbortSignal): Promise<SessionNotice | null>;
  /** The open lecture is about to connect to its room. */
  onConnecting(): void;
  /** The permission was granted: the browser now lists its devices with labels. */
  onMicrophoneOpen(): void;
  onFinalizing(): void;
}

/**
 * Owns the microphone and starts and stops the capture of a lecture. What happens to the chunks is the
 * lecture's work (`LectureTakes`).
 */
export class Recorder {
  readonly microphone: Microphone;
  #isCapturing = false;
  #releaseWakeLock: () => void = () => {};

  constructor(private readonly deps: Deps) {
    const { ports, onNotice, microphoneId } = deps;
    this.microphone = new Microphone(
      {
        ...deps,
        ...ports,
        source: ports.audio,
        onChangeFailed: () => onNotice({ kind: "microphoneChangeFailed" }),
        onMissing: (seconds) => onNotice({ kind: "soundMissing", seconds }),
      },
      microphoneId,
    );
  }

  get isCapturing(): boolean {
    return this.#isCapturing;
  }

  /** Opens microphone and room in parallel. Returns the notice of a failure; null on success or abort. */
  async start(lecture: OpenLecture, starting: AbortController): Promise<SessionNotice | null> {
    const { ports, onMicrophoneOpen } = this.deps;
    if (!ports.audio.isSupported()) return { kind: "notSupported" };
    try {
      const { clock, loadLivePath } = ports;
      const live = await withTimeout(clock, loadTimeoutMs, loadLivePath, starting.signal);
      await lecture.startTake(live);
    } catch {
      return starting.signal.aborted ? null : { kind: "codeNotLoaded" };
    }
    let failure: SessionNotice | null = null;
    const fail = (notice: SessionNotice) => {
      if (!starting.signal.aborted) failure = notice;
      starting.abort();
    };
    const refuse = async () => {
      const refusal = await this.deps.findRefusal(starting.signal);
      if (refusal === null || starting.signal.aborted) return;
      lecture.takes.discardTake();
      fail(refusal);
    };
    await Promise.all([
      this.microphone
        .open((pcm) => lecture.appendAudio(pcm), starting.signal)
        .then(onMicrophoneOpen)
        .catch((error: unknown) => fail(toStartNotice(error))),
      refuse()
        .then(() => this.#openRoom(lecture, starting.signal))
        .catch((error: unknown) => fail(toCreateNotice(error))),
    ]);
    this.#isCapturing = this.microphone.state !== "off";
    if (this.#isCapturing && !starting.signal.aborted)
      this.#releaseWakeLock = ports.page.keepAwake();
    return failure;
  }

  /** Stops capturing and waits up to `waitMs` for words and translations. True when it was capturing. */
  async stop(lecture: OpenLecture, waitMs: number): Promise<boolean> {
    const wasCapturing = this.#isCapturing;
    await this.closeMicrophone();
    lecture.endTake();
    if (lecture.hasUnsentAudio && !lecture.stored.isCreated) await this.#createLecture(lecture);
    const hasRoom = lecture.stored.isCreated || this.deps.identity === "guest";
    const drains = lecture.takes.connection !== "idle" || (lecture.hasUnsentAudio && hasRoom);
    if (drains || lecture.hasPendingText) {
      if (wasCapturing && lecture.hasPendingText && lecture.transcript.language !== "none") {
        this.deps.onFinalizing();
      }
      this.deps.onConnecting();
      await lecture.finish(waitMs);
    }
    await lecture.stored.flush(flushWaitMs);
    return wasCapturing;
  }

  /** Closes the microphone; its last chunk has arrived when this resolves. */
  async closeMicrophone(): Promise<void> {
    this.#releaseWakeLock();
    this.#releaseWakeLock = () => {};
    await this.microphone.close();
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
    const { identity, ports } = this.deps;
    if (outer.aborted) return;
    if (identity === "user") {
      await withTimeout(
        ports.clock,
        createTimeoutMs,
        (signal) => lecture.stored.create(signal),
        outer,
      );
    }
    if (outer.aborted) return;
    this.deps.onConnecting();
    lecture.startStreaming();
  }
}
