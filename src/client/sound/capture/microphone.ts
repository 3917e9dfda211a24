import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import {
  type AudioCapture,
  type AudioErrorReason,
  type AudioSource,
  AudioSourceError,
  type NoSoundReason,
  type SuspensionReason,
} from "#client/sound/capture/audio-ports.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import type { LossReason } from "#shared/recorded-take.ts";
import type { ChunkEncoder } from "./chunk-encoder.ts";
import { DeviceChoice } from "./device-choice.ts";
import type { MicrophoneDevices } from "./devices.ts";
import { InputOpener, openTimeoutMs } from "./input-opener.ts";
import { LostSound, type MicrophoneGap } from "./lost-sound.ts";
import { SilenceDetector } from "./silence.ts";
import { StallWatch } from "./stall-watch.ts";

const bytesPerMs = (captureSampleRate * 2) / 1_000;
/** As `NoSoundReason`: the device is open and delivers nothing. `silent`: what it delivers has no sound for 6 s. */
export type MicrophoneState = "off" | "requesting" | "on" | "silent" | NoSoundReason;

const toState = (reason: SuspensionReason | null): MicrophoneState => {
  if (reason === null) return "on";
  return reason === "muted" ? "muted" : "notDelivered";
};

interface Deps {
  ports: { clock: Clock; log: Log; audio: AudioSource };
  devices: MicrophoneDevices;
  /** The device chosen earlier; null: the system's default. */
  deviceId: string | null;
  /** Whether the sound of input `deviceId` is to be left as it is. Null: not known which one it is. */
  isRaw(deviceId: string | null): boolean;
  onChange(): void;
  /** Nothing gives sound any more. `missing`: there is no input. `notShared`: only the person can go on. */
  onLost(reason: AudioErrorReason): void;
  /** A device was opened: `track` is another one. */
  onOpened(): void;
  /** The newly chosen device could not be opened; the previous one is opened again. */
  onChangeFailed(): void;
  onGap(gap: MicrophoneGap): void;
  /** No sound comes since `at`, ms since the epoch, until `onSound`, or until the recording goes on after `onLost`. */
  onNoSound(reason: LossReason, at: number): void;
  /** That has lasted `lengthMs`. */
  onSound(lengthMs: number): void;
  /** Another device, which nobody has chosen, gives the sound. `label`: the browser's name of it, or empty. */
  onReplaced(label: string): void;
  /** See `AudioHandlers`. `deviceId`: as in `isRaw`. */
  onQuiet(deviceId: string | null): void;
}

/**
 * The session's microphone. At most one device is open, in whatever order the methods are called. One that ends or stalls
 * is opened again, or the next one is.
 */
export class Microphone {
  readonly #lost: LostSound;
  readonly #silenceDetector = new SilenceDetector();
  readonly #stallWatch: StallWatch;
  #suspension: SuspensionReason | null = null;
  #capture: AudioCapture | null = null;
  /** Of the open device, or of one that is being opened. Chunks of another one come late. */
  #source: symbol | null = null;
  #state: MicrophoneState = "off";
  readonly #choice: DeviceChoice;
  readonly #opener: InputOpener;
  /** What gave the sound before a change that nobody has chosen. */
  #before: { label: string; deviceId: string | null } | null = null;
  #encoder: ChunkEncoder | null = null;
  /** Between `open` and `close`. */
  #isInUse = false;
  /** What was last asked for while a device was open; it is not asked for again. */
  #triedRaw: boolean | null = null;
  #deviceSwitch: { abort: AbortController; done: Promise<void> } | null = null;

  constructor(private readonly deps: Deps) {
    const { clock, log } = deps.ports;
    this.#choice = new DeviceChoice(deps.deviceId);
    this.#opener = new InputOpener(clock, (deviceId, signal) => this.#acquire(deviceId, signal));
    this.#lost = new LostSound({
      clock,
      log,
      onGap: deps.onGap,
      onLoss: (reason, at) => {
        if (this.#state !== "requesting") this.#setState("notDelivered");
        deps.onNoSound(reason, at);
      },
      onLossEnd: deps.onSound,
    });
    this.#stallWatch = new StallWatch(clock, () => {
      log.warn("no audio chunks");
      this.#recover("notDelivered");
    });
    deps.devices.list.subscribe(() => this.#onDevices());
  }

  get state(): MicrophoneState {
    return this.#state;
  }

  /** The chosen device; null: the system's default. */
  get deviceId(): string | null {
    return this.#choice.chosenId;
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
    this.#setState("requesting");
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
    this.#before = null;
    this.#choose(deviceId);
  }

  /** What `isRaw` answers may have changed: the open device is opened again where it has. */
  applyRawSound(): void {
    this.#triedRaw = null;
    this.#applyChoice();
  }

  #choose(deviceId: string | null): void {
    if (!this.#choice.choose(deviceId)) return;
    this.deps.onChange();
    this.#opener.retryNow();
    this.#applyChoice();
  }

  async close(): Promise<void> {
    // Prevents `applyChoice` from opening a device.
    this.#isInUse = false;
    this.#deviceSwitch?.abort.abort();
    await this.#deviceSwitch?.done;
    await this.#release();
    this.#lost.loss.end(this.deps.ports.clock.now());
    this.#before = null;
    this.#stallWatch.restarts = 0;
    await this.#endEncoder();
    this.#setState("off");
  }

  #applyChoice(): void {
    if (!this.#isInUse || this.#capture === null || this.#deviceSwitch !== null) return;
    const { chosenId, openId } = this.#choice;
    const { isRaw, restart } = this.#capture;
    const wantsRaw = this.#isRaw(openId);
    const isRight = isRaw === null || isRaw === wantsRaw || this.#triedRaw === wantsRaw;
    if (chosenId === openId && isRight) return;
    this.#triedRaw = wantsRaw;
    if (restart === undefined) {
      this.#changeDevice((signal) => this.#switchDevice(signal));
      return;
    }
    this.#lost.beginLoss("notDelivered");
    this.#changeDevice((signal) => this.#restart(restart, signal));
  }

  #isRaw(deviceId: string | null): boolean {
    return this.deps.isRaw(this.#findId(deviceId));
  }

  /** The id under which the input `deviceId` is listed; null: it is not. */
  #findId(deviceId: string | null): string | null {
    // Chromium has an id for the default too.
    if (deviceId !== null && deviceId !== "default") return deviceId;
    return this.deps.devices.list.get()[0]?.id ?? null;
  }

  #changeDevice(change: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const done = change(abort.signal).finally(() => {
      this.#deviceSwitch = null;
      if (!abort.signal.aborted) this.#applyChoice();
    });
    this.#deviceSwitch = { abort, done };
  }

  /** Closes the previous device before it opens the chosen one. */
  async #switchDevice(signal: AbortSignal): Promise<void> {
    const { openId: previous, chosenId: chosen } = this.#choice;
    this.#lost.beginLoss("notDelivered");
    await this.#release();
    if (signal.aborted) return;
    this.#setState("requesting");
    try {
      await this.#acquire(chosen, signal);
      return;
    } catch {
      if (signal.aborted) return;
    }
    if (this.#choice.chosenId === chosen) this.#choice.choose(previous);
    this.deps.onChangeFailed();
    const { list } = this.deps.devices;
    await this.#openFirst(() => this.#choice.listAfterStall(list.get(), 0), signal);
  }

  /** The open source has ended or gives nothing: it is opened again, or the next one is. */
  #recover(reason: "disconnected" | "notDelivered"): void {
    if (!this.#isInUse || this.#capture === null || this.#deviceSwitch !== null) return;
    const { restart } = this.#capture;
    this.#noteBefore();
    this.#lost.beginLoss(reason);
    if (this.#lost.loss.isTold) this.#setState("notDelivered");
    const { restarts } = this.#stallWatch;
    if (reason === "notDelivered") this.#stallWatch.restarts += 1;
    this.#changeDevice(async (signal) => {
      if (restart !== undefined) {
        await this.#restart(restart, signal);
        return;
      }
      await this.#release();
      const { list } = this.deps.devices;
      const listInputs = () =>
        reason === "disconnected"
          ? this.#choice.listAfterEnd(list.get())
          : this.#choice.listAfterStall(list.get(), restarts);
      await this.#openFirst(listInputs, signal);
    });
  }

  #noteBefore(): void {
    this.#before ??= { label: this.track?.label ?? "", deviceId: this.#choice.openId };
  }

  async #restart(restart: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.deps.ports;
    try {
      await withTimeout(clock, openTimeoutMs, restart, signal);
    } catch {
      // Tried again when no chunk has come.
      log.warn("sound not opened again");
    }
    if (signal.aborted) return;
    this.#stallWatch.start();
    this.deps.onOpened();
  }

  async #openFirst(
    listInputs: () => readonly (string | null)[],
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const opened = await this.#opener.openFirst(listInputs, signal);
      if (this.#choice.replaceChosen(opened)) this.deps.onChange();
    } catch (error) {
      if (!signal.aborted)
        this.#giveUp(error instanceof AudioSourceError ? error.reason : "failed");
    }
  }

  #giveUp(reason: AudioErrorReason): void {
    this.#lost.loss.leave();
    this.deps.onLost(reason);
  }

  /** Goes back to the chosen device once it is there again, and follows the system's default. */
  #onDevices(): void {
    if (!this.#isInUse) return;
    this.#opener.retryNow();
    const devices = this.deps.devices.list.get();
    const returned = this.#choice.findReturned(devices);
    if (returned !== null) {
      this.#noteBefore();
      this.#choose(returned);
      return;
    }
    const isChanged = this.#choice.isDefaultChanged(devices, this.track?.label ?? "");
    // A mix is opened again for a microphone that has ended, not for a better one.
    if (isChanged && this.#capture?.restart === undefined) this.#recover("notDelivered");
  }

  /** Opens the chosen device, or the system's default if that one no longer exists. */
  async #acquireChosen(signal: AbortSignal): Promise<void> {
    const chosen = this.#choice.chosenId;
    try {
      await this.#acquire(chosen, signal);
    } catch (error) {
      const isMissing = error instanceof AudioSourceError && error.reason === "missing";
      if (!isMissing || chosen === null || signal.aborted) throw error;
      await this.#acquire(null, signal);
      if (this.#choice.chosenId === chosen) this.#choice.choose(null);
      this.deps.onChange();
    }
  }

  async #acquire(deviceId: string | null, signal: AbortSignal): Promise<void> {
    this.#lost.onOpen();
    this.#suspension = null;
    this.#silenceDetector.reset();
    const { log, audio } = this.deps.ports;
    const source = Symbol("source");
    this.#source = source;
    let isCurrent = true;
    const pendingCapture = audio.open(
      {
        chunk: (pcm) => {
          if (isCurrent) this.#onChunk(pcm, source);
        },
        noSound: (reason) => {
          if (isCurrent) this.#onSuspension(reason);
        },
        replaced: (label) => {
          if (isCurrent) this.deps.onReplaced(label);
        },
        quiet: () => {
          if (isCurrent) this.deps.onQuiet(this.#findId(deviceId));
        },
        lost: () => {
          if (isCurrent) this.#onSourceEnd();
        },
      },
      signal,
      {
        deviceId,
        chunkSamples: this.#encoder?.chunkSamples ?? chunkSamples,
        isRaw: (id) => this.#isRaw(id),
      },
    );
    let capture: AudioCapture;
    try {
      capture = await rejectOnAbort(pendingCapture, signal);
    } catch (error) {
      isCurrent = false;
      throw error;
    }
    this.#capture = {
      get track() {
        return capture.track;
      },
      get isRaw() {
        return capture.isRaw;
      },
      restart: capture.restart,
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
    this.#choice.onOpened(deviceId);
    if (this.#state === "requesting") this.#setState("on");
    if (this.#suspension === null || this.#suspension === "notDelivered") this.#stallWatch.start();
    this.deps.onOpened();
    this.#noteDefault(source);
  }

  /** The browser lists its devices with labels once one is open. */
  #noteDefault(source: symbol): void {
    const { devices } = this.deps;
    void devices.refresh().then(() => {
      if (this.#source !== source) return;
      this.#choice.noteDefault(devices.list.get());
      this.#applyChoice();
    });
  }

  #onChunk(pcm: Uint8Array<ArrayBuffer>, source: symbol): void {
    const lengthMs = pcm.byteLength / bytesPerMs;
    const now = this.deps.ports.clock.now();
    const isLate = source !== this.#source;
    const wasLost = this.#lost.loss.isGoingOn;
    this.#lost.onChunk(now - lengthMs, lengthMs, isLate);
    if (!isLate) {
      this.#stallWatch.restarts = 0;
      if (this.#suspension !== "interrupted") this.#stallWatch.start();
      if (wasLost) this.#onSoundAgain();
    }
    const isSilent = this.#silenceDetector.onChunk(pcm, now);
    if (this.#state === "on" || this.#state === "silent")
      this.#setState(isSilent ? "silent" : "on");
    this.#encoder?.encode(pcm);
  }

  #onSoundAgain(): void {
    this.#setState(toState(this.#suspension));
    const before = this.#before;
    this.#before = null;
    const label = this.track?.label ?? "";
    if (before && (before.label !== label || before.deviceId !== this.#choice.openId))
      this.deps.onReplaced(label);
  }

  #onSuspension(reason: SuspensionReason | null): void {
    if (this.#state === "off") return;
    const isResumed = this.#suspension === "interrupted" && reason !== "interrupted";
    this.#suspension = reason;
    this.#lost.setReason(reason === "interrupted" ? "notDelivered" : reason);
    if (!this.#lost.loss.isGoingOn) this.#setState(toState(reason));
    // The mute of an interruption may stay when that has ended; another one is somebody's will.
    if (isResumed) this.#stallWatch.startAfterInterruption();
    else if (reason === "interrupted" || reason === "muted") this.#stallWatch.stop();
    else if (!this.#stallWatch.isRunning) this.#stallWatch.start();
  }

  #onSourceEnd(): void {
    const isDevice = this.#capture !== null && this.#capture.restart === undefined;
    if (isDevice) {
      this.#recover("disconnected");
      return;
    }
    // Only the person can share a tab or a screen.
    this.#lost.beginLoss("disconnected");
    this.#giveUp("notShared");
  }

  async #release(): Promise<void> {
    const capture = this.#capture;
    this.#capture = null;
    this.#source = null;
    this.#stallWatch.stop();
    await capture?.stop();
    this.#lost.onClosed();
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
