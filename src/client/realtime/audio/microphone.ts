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
  readonly #gaps: GapDetector;
  #capture: AudioCapture | null = null;
  #state: SessionView["microphone"] = "off";
  /** The device that is, or was last, open. */
  #usedId: string | null;
  #wantedId: string | null;
  #chunk: Chunk | null = null;
  /** Between `open` and `close`. */
  #inUse = false;
  #changing: { abort: AbortController; done: Promise<void> } | null = null;

  constructor(deps: Deps, deviceId: string | null) {
    this.#deps = deps;
    this.#usedId = deviceId;
    this.#wantedId = deviceId;
    this.#gaps = new GapDetector(deps);
  }

  get state(): SessionView["microphone"] {
    return this.#state;
  }

  /** The device that was chosen; null: the system's default. */
  get deviceId(): string | null {
    return this.#wantedId;
  }

  level(): number {
    return this.#capture?.level() ?? 0;
  }

  /** Opens it; chunks go to `chunk` from now on. @throws AudioSourceError */
  async open(chunk: Chunk, signal: AbortSignal): Promise<void> {
    this.#chunk = chunk;
    this.#inUse = true;
    try {
      await this.#acquireChosen(signal);
    } catch (error) {
      this.#inUse = false;
      this.#chunk = null;
      this.#set("off");
      throw error;
    }
    // The choice may have changed while the browser was asking.
    this.#follow();
  }

  choose(deviceId: string | null): void {
    if (deviceId === this.#wantedId) return;
    this.#wantedId = deviceId;
    this.#deps.onChange();
    this.#follow();
  }

  async close(): Promise<void> {
    // From now on another choice opens nothing.
    this.#inUse = false;
    this.#changing?.abort.abort();
    await this.#changing?.done;
    await this.#release();
    this.#chunk = null;
    this.#gaps.reset();
    this.#set("off");
  }

  #follow(): void {
    if (!this.#inUse || this.#capture === null || this.#changing !== null) return;
    if (this.#wantedId === this.#usedId) return;
    const abort = new AbortController();
    const done = this.#change(abort.signal).finally(() => {
      this.#changing = null;
      if (!abort.signal.aborted) this.#follow();
    });
    this.#changing = { abort, done };
  }

  /** Lets go of the one before it opens the other: two are never open. */
  async #change(signal: AbortSignal): Promise<void> {
    const before = this.#usedId;
    const wanted = this.#wantedId;
    await this.#release();
    if (signal.aborted) return;
    try {
      await this.#acquire(wanted, signal);
      return;
    } catch {
      if (signal.aborted) return;
    }
    if (this.#wantedId === wanted) this.#wantedId = before;
    this.#deps.onChangeFailed();
    try {
      await this.#acquire(before, signal);
    } catch {
      if (!signal.aborted) this.#deps.onLost();
    }
  }

  /** A device that was chosen once may be gone since: then the system's default is as good. */
  async #acquireChosen(signal: AbortSignal): Promise<void> {
    const chosen = this.#wantedId;
    try {
      await this.#acquire(chosen, signal);
    } catch (error) {
      const gone = error instanceof AudioSourceError && error.reason === "missing";
      if (!gone || chosen === null || signal.aborted) throw error;
      await this.#acquire(null, signal);
      if (this.#wantedId === chosen) this.#wantedId = null;
      this.#deps.onChange();
    }
  }

  async #acquire(deviceId: string | null, signal: AbortSignal): Promise<void> {
    this.#set("asking");
    this.#gaps.reset();
    const { log, source } = this.#deps;
    let current = true;
    const opening = source.open(
      {
        chunk: (pcm) => {
          if (!current) return;
          this.#gaps.onChunk();
          this.#chunk?.(pcm);
        },
        muted: (muted) => {
          if (current && this.#state !== "off") this.#set(muted ? "muted" : "on");
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
    this.#usedId = deviceId;
    if (this.#state === "asking") this.#set("on");
  }

  async #release(): Promise<void> {
    const capture = this.#capture;
    this.#capture = null;
    await capture?.stop();
  }

  #set(state: SessionView["microphone"]): void {
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
