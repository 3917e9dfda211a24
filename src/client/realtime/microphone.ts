import { audioGapWarningMs } from "../../shared/limits.ts";
import type { SessionView } from "./contract.ts";
import type { AudioCapture, AudioSource, Clock, Log } from "./ports.ts";

interface Deps {
  source: AudioSource;
  clock: Clock;
  log: Log;
  /** `state` changed. */
  onChange(): void;
  /** The device is gone. */
  onLost(): void;
}

/** The session's microphone: one at most is open, whatever is asked in whatever order. */
export class Microphone {
  readonly #deps: Deps;
  #capture: AudioCapture | null = null;
  #state: SessionView["microphone"] = "off";
  #lastChunkAt: number | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get state(): SessionView["microphone"] {
    return this.#state;
  }

  /** Loudness now, 0 to 1. */
  level(): number {
    return this.#capture?.level() ?? 0;
  }

  /** Opens it; chunks go to `chunk` from now on. @throws AudioSourceError */
  async open(chunk: (pcm: Uint8Array<ArrayBuffer>) => void, signal: AbortSignal): Promise<void> {
    this.#set("asking");
    this.#lastChunkAt = null;
    try {
      const capture = await this.#deps.source.open(
        {
          chunk: (pcm) => {
            this.#noteGap();
            chunk(pcm);
          },
          muted: (muted) => {
            if (this.#state !== "off") this.#set(muted ? "muted" : "on");
          },
          lost: () => this.#deps.onLost(),
        },
        signal,
      );
      this.#capture = capture;
      if (this.#state === "asking") this.#set("on");
    } catch (error) {
      this.#set("off");
      throw error;
    }
  }

  /** Delivers the last chunk and lets go of the device. */
  async close(): Promise<void> {
    const capture = this.#capture;
    this.#capture = null;
    await capture?.stop();
    this.#set("off");
  }

  #noteGap(): void {
    const now = this.#deps.clock.now();
    if (this.#lastChunkAt !== null && now - this.#lastChunkAt > audioGapWarningMs) {
      this.#deps.log.warn("gap between audio chunks", { ms: now - this.#lastChunkAt });
    }
    this.#lastChunkAt = now;
  }

  #set(state: SessionView["microphone"]): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#deps.onChange();
  }
}
