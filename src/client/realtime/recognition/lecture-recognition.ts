import { type Clock, every } from "#client/lib/clock.ts";
import type { LivePath } from "#client/realtime/live-path.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import type { ConnectionState } from "#client/realtime/session-types.ts";
import type { WordSource } from "#client/realtime/transcript/transcript-writer.ts";
import type { BrowserRecognizer } from "./browser-recognizer.ts";
import type { RecognitionEngine } from "./recognition-engine.ts";
import type { RecognitionFailure } from "./web-speech.ts";

/** How often the shown length of the recording is updated. */
const clockTickMs = 500;

interface Deps {
  clock: Clock;
  log: Log;
  /** Ends the lecture's other source of words; `onReplaced`: one has taken over from this one. */
  openSource(onReplaced: () => void): WordSource;
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
  #words: WordSource | null = null;
  #isWanted = false;
  /** Ends the lecture's clock at the present time. */
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
    const { clock, openSource, getClockEndMs, onClock, onFailure } = this.deps;
    const words = openSource(() => this.dispose());
    this.#words = words;
    const startMs = getClockEndMs();
    const startedAt = clock.now();
    let stoppedMs: number | null = null;
    // The system's clock may be set back.
    const getLectureMs = () => stoppedMs ?? Math.max(startMs, startMs + clock.now() - startedAt);
    const showClock = () => onClock(Math.round(getLectureMs()));
    this.#isWanted = true;
    this.#recognizer = new live.BrowserRecognizer({
      ...this.deps,
      create: () => engine.create(),
      getTrack,
      getLectureMs,
      onTokens: (batch) => words.addTokens(batch, 0, false),
      onSentenceEnd: () => words.endSentence(),
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
    if (!this.#isWanted) return;
    const cancelTicks = every(clock, clockTickMs, showClock);
    this.#stopClock = () => {
      cancelTicks();
      stoppedMs = getLectureMs();
      showClock();
    };
  }

  /** Resolves when the last words are in the transcript. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#stopClock();
    await this.#recognizer?.stop();
    this.#end();
  }

  wake(): void {
    this.#recognizer?.wake();
  }

  dispose(): void {
    this.#isWanted = false;
    this.#stopClock();
    this.#recognizer?.dispose();
    this.#end();
  }

  #end(): void {
    this.#stopClock = () => {};
    this.#recognizer = null;
    this.#words?.close();
    this.#words = null;
  }
}
