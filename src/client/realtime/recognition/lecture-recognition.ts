import { type Clock, every } from "#client/lib/clock.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import type { LivePath } from "#client/realtime/session-ports.ts";
import type { ConnectionState } from "#client/realtime/session-types.ts";
import type { LiveTranscript } from "#client/realtime/transcript/live-transcript.ts";
import type { BrowserRecognizer } from "./browser-recognizer.ts";
import type { RecognitionEngine } from "./recognition-engine.ts";
import type { RecognitionFailure } from "./recognition-error.ts";

/** How often the shown length of the recording is updated. */
const clockTickMs = 500;

interface Deps {
  clock: Clock;
  log: Log;
  transcript: LiveTranscript;
  /** End of the lecture's clock, ms. */
  getClockEndMs(): number;
  /** The lecture's clock has reached `ms`. */
  onClock(ms: number): void;
  onChange(): void;
  onFailure(reason: RecognitionFailure): void;
}

/** Puts the words of the browser's recognition into one lecture, on the lecture's clock. */
export class LectureRecognition {
  #recognizer: BrowserRecognizer | null = null;
  #stopClock = () => {};

  constructor(private readonly deps: Deps) {}

  get state(): ConnectionState {
    return this.#recognizer?.state ?? "idle";
  }

  /** Resolves when the browser listens. @throws RecognitionError */
  async start(
    live: LivePath,
    engine: RecognitionEngine,
    getTrack: () => MediaStreamTrack | null,
  ): Promise<void> {
    const { clock, transcript, getClockEndMs, onClock, onFailure } = this.deps;
    const startMs = getClockEndMs();
    const startedAt = clock.now();
    // The system's clock may be set back.
    const getLectureMs = () => Math.max(startMs, startMs + clock.now() - startedAt);
    this.#recognizer = live.createRecognizer({
      ...this.deps,
      create: () => engine.create(),
      getTrack,
      getLectureMs,
      onTokens: (batch) => transcript.addTokens(batch, 0, false),
      onSentenceEnd: () => transcript.endSentence(),
      onStateChange: () => this.deps.onChange(),
      onFailure: (reason) => {
        this.dispose();
        onFailure(reason);
      },
    });
    try {
      await this.#recognizer.start();
    } catch (error) {
      this.dispose();
      throw error;
    }
    if (this.#recognizer !== null)
      this.#stopClock = every(clock, clockTickMs, () => onClock(Math.round(getLectureMs())));
  }

  /** Resolves when the last words are in the transcript. */
  async stop(): Promise<void> {
    this.#stopClock();
    await this.#recognizer?.stop();
    this.#recognizer = null;
  }

  wake(): void {
    this.#recognizer?.wake();
  }

  dispose(): void {
    this.#stopClock();
    this.#recognizer?.dispose();
    this.#recognizer = null;
  }
}
