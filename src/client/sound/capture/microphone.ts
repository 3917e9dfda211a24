import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import {
  type AudioCapture,
  type AudioSource,
  AudioSourceError,
  type NoSoundReason,
} from "#client/sound/capture/audio-ports.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import type { ChunkEncoder } from "./chunk-encoder.ts";
import { GapDetector, gapMinMs } from "./gap-watch.ts";
import { SilenceDetector } from "./silence.ts";

const bytesPerMs = (captureSampleRate * 2) / 1_000;

/** Sound that the device did not deliver. */
export interface MicrophoneGap {
  reason: NoSoundReason;
  lengthMs: number;
  /** Length of the audio that was delivered since its beginning, ms. */
  sinceMs: number;
  /** The device has delivered silence in its place. */
  isFilled: boolean;
}

/** `muted`: the device is open and delivers nothing. `silent`: what it delivers has no sound for 6 s. */
export type MicrophoneState = "off" | "requesting" | "on" | "muted" | "silent";

interface Deps {
  ports: { clock: Clock; log: Log; audio: AudioSource };
  /** The device chosen earlier; null: the system's default. */
  deviceId: string | null;
  onChange(): void;
  onLost(): void;
  /** A device was opened: `track` is another one. */
  onOpened(): void;
  /** The newly chosen device could not be opened; the previous one is opened again. */
  onChangeFailed(): void;
  onGap(gap: MicrophoneGap): void;
}

/** The session's microphone. At most one device is open, in whatever order the methods are called. */
export class Microphone {
  readonly #gapDetector: GapDetector;
  readonly #silenceDetector = new SilenceDetector();
  /** Since when the device delivers nothing, ms since the epoch, and the length of the audio before; null: it does. */
  #absence: { reason: NoSoundReason; at: number; receivedMs: number } | null = null;
  #capture: AudioCapture | null = null;
  #state: MicrophoneState = "off";
  /** The device that is open, or was last. */
  #openDeviceId: string | null;
  #chosenDeviceId: string | null;
  #encoder: ChunkEncoder | null = null;
  /** Between `open` and `close`. */
  #isInUse = false;
  #deviceSwitch: { abort: AbortController; done: Promise<void> } | null = null;

  constructor(private readonly deps: Deps) {
    this.#openDeviceId = deps.deviceId;
    this.#chosenDeviceId = deps.deviceId;
    this.#gapDetector = new GapDetector({
      clock: deps.ports.clock,
      log: deps.ports.log,
      onMissing: (lengthMs, sinceMs) => {
        // Otherwise it is reported when that ends.
        if (this.#absence === null)
          deps.onGap({ reason: "notDelivered", lengthMs, sinceMs, isFilled: false });
      },
    });
  }

  get state(): MicrophoneState {
    return this.#state;
  }

  /** The chosen device; null: the system's default. */
  get deviceId(): string | null {
    return this.#chosenDeviceId;
  }

  level(): number {
    return this.#capture?.level() ?? 0;
  }

  /** The open device; null while none is open. */
  get track(): MediaStreamTrack | null {
    return this.#capture?.track ?? null;
  }

  /**
   * Opens the chosen device. Its chunks go to `encoder`, which ends with the device; null: they are only
   * measured.
   *
   * @throws AudioSourceError
   */
  async open(encoder: ChunkEncoder | null, signal: AbortSignal): Promise<void> {
    this.#encoder = encoder;
    this.#isInUse = true;
    try {
      await this.#acquireChosen(signal);
    } catch (error) {
      this.#isInUse = false;
      await this.#endEncoder();
      this.#setState("off");
      throw error;
    }
    // The choice may have changed while the device was being opened.
    this.#applyChoice();
  }

  choose(deviceId: string | null): void {
    if (deviceId === this.#chosenDeviceId) return;
    this.#chosenDeviceId = deviceId;
    this.deps.onChange();
    this.#applyChoice();
  }

  async close(): Promise<void> {
    // Prevents `applyChoice` from opening a device.
    this.#isInUse = false;
    this.#deviceSwitch?.abort.abort();
    await this.#deviceSwitch?.done;
    await this.#release();
    await this.#endEncoder();
    this.#setState("off");
  }

  #applyChoice(): void {
    if (!this.#isInUse || this.#capture === null || this.#deviceSwitch !== null) return;
    if (this.#chosenDeviceId === this.#openDeviceId) return;
    const abort = new AbortController();
    const done = this.#switchDevice(abort.signal).finally(() => {
      this.#deviceSwitch = null;
      if (!abort.signal.aborted) this.#applyChoice();
    });
    this.#deviceSwitch = { abort, done };
  }

  /** Closes the previous device before it opens the chosen one. */
  async #switchDevice(signal: AbortSignal): Promise<void> {
    const previous = this.#openDeviceId;
    const chosen = this.#chosenDeviceId;
    await this.#release();
    if (signal.aborted) return;
    try {
      await this.#acquire(chosen, signal);
      return;
    } catch {
      if (signal.aborted) return;
    }
    if (this.#chosenDeviceId === chosen) this.#chosenDeviceId = previous;
    this.deps.onChangeFailed();
    try {
      await this.#acquire(previous, signal);
    } catch {
      if (!signal.aborted) this.deps.onLost();
    }
  }

  /** Opens the chosen device, or the system's default if that one no longer exists. */
  async #acquireChosen(signal: AbortSignal): Promise<void> {
    const chosen = this.#chosenDeviceId;
    try {
      await this.#acquire(chosen, signal);
    } catch (error) {
      const isMissing = error instanceof AudioSourceError && error.reason === "missing";
      if (!isMissing || chosen === null || signal.aborted) throw error;
      await this.#acquire(null, signal);
      if (this.#chosenDeviceId === chosen) this.#chosenDeviceId = null;
      this.deps.onChange();
    }
  }

  async #acquire(deviceId: string | null, signal: AbortSignal): Promise<void> {
    this.#setState("requesting");
    this.#absence = null;
    this.#gapDetector.reset();
    this.#silenceDetector.reset();
    const { clock, log, audio } = this.deps.ports;
    let isCurrent = true;
    const pendingCapture = audio.open(
      {
        chunk: (pcm) => {
          if (!isCurrent) return;
          this.#gapDetector.onChunk(pcm.byteLength / bytesPerMs);
          const isSilent = this.#silenceDetector.onChunk(pcm, clock.now());
          if (this.#state === "on" || this.#state === "silent")
            this.#setState(isSilent ? "silent" : "on");
          this.#encoder?.encode(pcm);
        },
        noSound: (reason) => {
          if (!isCurrent || this.#state === "off") return;
          this.#endAbsence();
          const { receivedMs } = this.#gapDetector;
          if (reason !== null) this.#absence = { reason, at: clock.now(), receivedMs };
          this.#setState(reason === null ? "on" : "muted");
        },
        lost: () => {
          if (isCurrent) this.deps.onLost();
        },
      },
      signal,
      { deviceId, chunkSamples: this.#encoder?.chunkSamples ?? chunkSamples },
    );
    const capture = await rejectOnAbort(pendingCapture, signal);
    this.#capture = {
      track: capture.track,
      level: () => capture.level(),
      stop: async () => {
        try {
          await capture.stop();
        } catch {
          // Nothing can be done about it, and nothing may wait for it.
          log.warn("microphone not closed");
        }
        isCurrent = false;
      },
    };
    this.#openDeviceId = deviceId;
    if (this.#state === "requesting") this.#setState("on");
    this.deps.onOpened();
  }

  async #release(): Promise<void> {
    const capture = this.#capture;
    this.#capture = null;
    await capture?.stop();
    this.#endAbsence();
    this.#gapDetector.end();
  }

  /** A muted device delivers silence, or nothing. */
  #endAbsence(): void {
    const absence = this.#absence;
    this.#absence = null;
    if (absence === null) return;
    const { ports, onGap } = this.deps;
    const { reason, at, receivedMs } = absence;
    const sinceMs = this.#gapDetector.receivedMs - receivedMs;
    const absentMs = ports.clock.now() - at - sinceMs;
    if (reason === "muted" && sinceMs >= gapMinMs)
      onGap({ reason, sinceMs, lengthMs: sinceMs, isFilled: true });
    if (absentMs < gapMinMs) return;
    onGap({ reason, sinceMs, lengthMs: absentMs, isFilled: false });
    this.#gapDetector.skip(absentMs);
  }

  async #endEncoder(): Promise<void> {
    const encoder = this.#encoder;
    this.#encoder = null;
    await encoder?.end();
  }

  #setState(state: MicrophoneState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.deps.onChange();
  }
}

/** Resolves with the capture; rejects when `signal` aborts, and then stops a capture that opens later. */
async function rejectOnAbort(
  pendingCapture: Promise<AudioCapture>,
  signal: AbortSignal,
): Promise<AudioCapture> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new AudioSourceError("failed", { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([pendingCapture, aborted]);
  } catch (error) {
    pendingCapture.then(
      (capture) => capture.stop(),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
