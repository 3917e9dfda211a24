import { Microphone } from "./audio/microphone.ts";
import { toCreateNotice, toStartNotice } from "./notices.ts";
import type { OpenLecture } from "./open-lecture.ts";
import type { SessionPorts } from "./session-ports.ts";
import { withTimeout } from "./timeouts-and-retries.ts";
import type { SessionNotice } from "./types.ts";

/** Saving goes on by itself; a person who stops without a network does not wait for it. */
const flushWaitMs = 3_000;
/** How long a start waits for its lecture to exist; what is said meanwhile is kept. */
const creationMs = 20_000;

/** How long a start waits for the code that it needs, where that is not there yet. */
const fetchMs = 15_000;

interface Deps {
  ports: SessionPorts;
  identity: "user" | "guest";
  microphoneId: string | null;
  onChange(): void;
  onNotice(notice: SessionNotice): void;
  onLost(): void;
  /** What to tell where the room refuses for good; null where it does not, or nobody knows. */
  findRefusal(signal: AbortSignal): Promise<SessionNotice | null>;
  /** The lecture's room is about to be connected to, now. */
  onConnecting(): void;
  /** The microphone is open: the browser may tell more about its devices now. */
  onMicrophoneOpen(): void;
  onFinalizing(): void;
}

export class Recorder {
  readonly microphone: Microphone;
  readonly #deps: Deps;
  #isCapturing = false;
  #releaseWakeLock: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
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

  /** Opens microphone and room at once. Returns what to tell when that fails; null when aborted. */
  async start(lecture: OpenLecture, starting: AbortController): Promise<SessionNotice | null> {
    const { ports, onMicrophoneOpen } = this.#deps;
    if (!ports.audio.isSupported()) return { kind: "notSupported" };
    try {
      const { clock, loadLivePath } = ports;
      const live = await withTimeout(clock, fetchMs, loadLivePath, starting.signal);
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
      const refusal = await this.#deps.findRefusal(starting.signal);
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

  /** Ends the flow, waiting `waitMs` for words and translations. True when sound was flowing. */
  async stop(lecture: OpenLecture, waitMs: number): Promise<boolean> {
    const ran = this.#isCapturing;
    await this.closeMicrophone();
    lecture.endTake();
    if (lecture.hasUnsentAudio && !lecture.stored.isCreated) await this.#createLecture(lecture);
    const reachable = lecture.stored.isCreated || this.#deps.identity === "guest";
    const drains = lecture.takes.connection !== "idle" || (lecture.hasUnsentAudio && reachable);
    if (drains || lecture.hasPendingText) {
      if (ran && lecture.hasPendingText && lecture.transcript.language !== "none") {
        this.#deps.onFinalizing();
      }
      this.#deps.onConnecting();
      await lecture.finish(waitMs);
    }
    await lecture.stored.flush(flushWaitMs);
    return ran;
  }

  /** Lets go of the microphone; its last chunk has arrived when this resolves. */
  async closeMicrophone(): Promise<void> {
    this.#releaseWakeLock();
    this.#releaseWakeLock = () => {};
    await this.microphone.close();
    this.#isCapturing = false;
  }

  /** What was said before the room was reached needs a lecture to become words in. */
  async #createLecture(lecture: OpenLecture): Promise<void> {
    const { clock, log } = this.#deps.ports;
    try {
      await withTimeout(clock, flushWaitMs, (signal) => lecture.stored.create(signal));
    } catch {
      log.warn("lecture of captured sound not created yet");
    }
  }

  async #openRoom(lecture: OpenLecture, outer: AbortSignal): Promise<void> {
    const { identity, ports } = this.#deps;
    if (outer.aborted) return;
    if (identity === "user") {
      await withTimeout(ports.clock, creationMs, (signal) => lecture.stored.create(signal), outer);
    }
    if (outer.aborted) return;
    this.#deps.onConnecting();
    lecture.startStreaming();
  }
}
