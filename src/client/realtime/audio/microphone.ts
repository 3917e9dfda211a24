import {
  type AudioCapture,
  type AudioSource,
  AudioSourceError,
  type Clock,
  type Log,
} from "#client/realtime/platform/ports.ts";
import type { SessionView } from "#client/realtime/types.ts";
import { GapDetector } from "./gap-watch.ts";

type Chunk = (pcm: Uint8Array<ArrayBuffer>) => void;

interface Deps {
  source: AudioSource;
  clock: Clock;
  log: Log;
  onChange(): void;
  onLost(): void;
  /** Another device was asked for and could not be had; the one before goes on. */
  onChangeFailed(): void;
  onMissing(seconds: number): void;
}

/** The session's microphone: one at most is open, whatever is asked in whatever order. */
export class Microphone {
  readonly #deps: Deps;
  readonly #gapDetector: GapDetector;
  #capture: AudioCapture | null = null;
  #state: SessionView["microphone"] = "off";
  /** The device that is, or was last, open. */
  #openDeviceId: string | null;
  #chosenDeviceId: string | null;
  #onChunk: Chunk | null = null;
  /** Between `open` and `close`. */
  #isInUse = false;
  #deviceSwitch: { abort: AbortController; done: Promise<void> } | null = null;

  constructor(deps: Deps, deviceId: string | null) {
    this.#deps = deps;
    this.#openDeviceId = deviceId;
    this.#chosenDeviceId = deviceId;
    this.#gapDetector = new GapDetector(deps);
  }

  get state(): SessionView["microphone"] {
    return this.#state;
  }

  /** The device that was chosen; null: the system's default. */
  get deviceId(): string | null {
    return this.#chosenDeviceId;
  }

  level(): number {
    return this.#capture?.level() ?? 0;
  }

  /** Opens it; chunks go to `chunk` from now on. @throws AudioSourceError */
  async open(chunk: Chunk, signal: AbortSignal): Promise<void> {
    this.#onChunk = chunk;
    this.#isInUse = true;
    try {
      await this.#acquireChosen(signal);
    } catch (error) {
      this.#isInUse = false;
      this.#onChunk = null;
      this.#setState("off");
      throw error;
    }
    // The choice may have changed while the browser was asking.
    this.#applyChoice();
  }

  choose(deviceId: string | null): void {
    if (deviceId === this.#chosenDeviceId) return;
    this.#chosenDeviceId = deviceId;
    this.#deps.onChange();
    this.#applyChoice();
  }

  async close(): Promise<void> {
    // From now on another choice opens nothing.
    this.#isInUse = false;
    this.#deviceSwitch?.abort.abort();
    await this.#deviceSwitch?.done;
    await this.#release();
    this.#onChunk = null;
    this.#gapDetector.reset();
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

  /** Lets go of the one before it opens the other: two are never open. */
  async #switchDevice(signal: AbortSignal): Promise<void> {
    const before = this.#openDeviceId;
    const wanted = this.#chosenDeviceId;
    await this.#release();
    if (signal.aborted) return;
    try {
      await this.#acquire(wanted, signal);
      return;
    } catch {
      if (signal.aborted) return;
    }
    if (this.#chosenDeviceId === wanted) this.#chosenDeviceId = before;
    this.#deps.onChangeFailed();
    try {
      await this.#acquire(before, signal);
    } catch {
      if (!signal.aborted) this.#deps.onLost();
    }
  }

  /** A device that was chosen once may be gone since: then the system's default is as good. */
  async #acquireChosen(signal: AbortSignal): Promise<void> {
    const chosen = this.#chosenDeviceId;
    try {
      await this.#acquire(chosen, signal);
    } catch (error) {
      const gone = error instanceof AudioSourceError && error.reason === "missing";
      if (!gone || chosen === null || signal.aborted) throw error;
      await this.#acquire(null, signal);
      if (this.#chosenDeviceId === chosen) this.#chosenDeviceId = null;
      this.#deps.onChange();
    }
  }

  async #acquire(deviceId: string | null, signal: AbortSignal): Promise<void> {
    this.#setState("requesting");
    this.#gapDetector.reset();
    const { log, source } = this.#deps;
    let current = true;
    const opening = source.open(
      {
        chunk: (pcm) => {
          if (!current) return;
          this.#gapDetector.onChunk();
          this.#onChunk?.(pcm);
        },
        muted: (muted) => {
          if (current && this.#state !== "off") this.#setState(muted ? "muted" : "on");
        },
        lost: () => {
          if (current) this.#deps.onLost();
        },
      },
      signal,
      deviceId,
    );
    const capture = await rejectOnAbort(opening, signal);
    this.#capture = {
      level: () => capture.level(),
      stop: async () => {
        try {
          await capture.stop();
        } catch {
          // It is let go of either way, and nothing may wait for it.
          log.warn("microphone not closed");
        }
        current = false;
      },
    };
    this.#openDeviceId = deviceId;
    if (this.#state === "requesting") this.#setState("on");
  }

  async #release(): Promise<void> {
    const capture = this.#capture;
    this.#capture = null;
    await capture?.stop();
  }

  #setState(state: SessionView["microphone"]): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#deps.onChange();
  }
}

/** What `opening` brings; at once an error when `signal` aborts, and what still comes is let go. */
async function rejectOnAbort(
  opening: Promise<AudioCapture>,
  signal: AbortSignal,
): Promise<AudioCapture> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new AudioSourceError("failed", { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([opening, aborted]);
  } catch (error) {
    opening.then(
      (capture) => capture.stop(),
      () => {},
    );
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
