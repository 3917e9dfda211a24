import type { WordSource } from "#client/lecture/rows/transcript-writer.ts";
import { type Clock, every } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { resultDelayMs } from "#client/recognition/heard-takes.ts";
import type { LivePath } from "#client/recognition/live-path.ts";
import type { ConnectionState, SpeechProblem } from "#client/recognition/speech-engine.ts";
import type { HintSource } from "#client/recognition/speech-hints.ts";
import type { VoiceActivity } from "#client/sound/capture/voice-activity.ts";
import type { RelayTokens } from "#shared/relay.ts";
import type { BrowserRecognizer } from "./browser-recognizer.ts";
import type { RecognitionEngine } from "./recognition-engine.ts";
import { UnansweredSpeech } from "./unanswered-speech.ts";
import { RecognitionError, type RecognitionFailure } from "./web-speech.ts";

/** A browser that is away for longer is told, although it is tried again, ms. */
const awayMaxMs = 3_000;
/** A session that has lasted this long, ms, hears. */
const backMinMs = 2_000;
/** How often the shown length of the recording is updated where no sound is captured. */
const clockTickMs = 500;

interface Deps {
  ports: { clock: Clock; log: Log };
  /** Ends the lecture's other source of words; `onReplaced`: one has taken over from this one. */
  openSource(onReplaced: () => void): WordSource;
  hintSource: HintSource;
  /** End of the lecture's clock, ms. */
  getClockEndMs(): number;
  /** The lecture's sound is captured in a take, which moves its clock. */
  isCaptured(): boolean;
  /** Without a take the lecture's clock has reached `ms`. */
  onClock(ms: number): void;
  /** All words before `ms` on the lecture's clock are on the page. */
  onRecognized(ms: number): void;
  /** The browser has missed sound, and hears again since `hearsSinceMs` on the lecture's clock. */
  onSoundMissed(live: LivePath, hearsSinceMs: number): void;
  onChange(): void;
  /** The recognition has ended for good. */
  onFailure(reason: RecognitionFailure): void;
}

/** Puts the words of the browser's recognition into one lecture, on the lecture's clock. */
export class LectureRecognition {
  #recognizer: BrowserRecognizer | null = null;
  /** With the recogniser. */
  #live: LivePath | null = null;
  #words: WordSource | null = null;
  #activity: VoiceActivity | null = null;
  #speech = new UnansweredSpeech();
  #problem: SpeechProblem | null = null;
  /** The last session has ended then, on the lecture's clock, and the next one does not hear yet, ms. */
  #awaySinceMs: number | null = null;
  /** When the next session has begun. It may end at once, as the ones before. */
  #backSinceMs: number | null = null;
  /** Somebody spoke while the browser was away, and no session has given words since. */
  #hasMissedSpeech = false;
  /** When the first session after that has begun that did not end at once. */
  #hearsSinceMs = 0;
  /** Ends the lecture's clock at the present time. */
  #stopClock = () => {};

  constructor(private readonly deps: Deps) {}

  get state(): ConnectionState {
    return this.#recognizer?.state ?? "idle";
  }

  /** Why words are missing since the last start; null: none are. */
  get problem(): SpeechProblem | null {
    return this.#problem;
  }

  /** The browser has given words for all speech since the last start. */
  get hasAllWords(): boolean {
    return this.#problem === null && !this.#hasMissedSpeech;
  }

  /** Resolves when the browser listens or has failed. */
  async start(
    live: LivePath,
    engine: RecognitionEngine | null,
    getTrack: () => MediaStreamTrack | null,
  ): Promise<void> {
    const { ports, openSource, getClockEndMs, isCaptured, onClock } = this.deps;
    const { clock, log } = ports;
    this.replace();
    this.#activity = null;
    if (engine === null || engine.language === null) {
      this.#fail(engine === null ? "refused" : (engine.failure ?? "noLanguage"));
      return;
    }
    const { language } = engine;
    const about = { diarization: false, languages: { language, secondLanguage: null } };
    const hints = new live.SpeechHints(clock, this.deps.hintSource);
    const words = openSource(() => this.dispose());
    this.#words = words;
    const startMs = getClockEndMs();
    const startedAt = clock.now();
    let stoppedMs: number | null = null;
    // The system's clock may be set back.
    const getTimedMs = () => stoppedMs ?? Math.max(startMs, startMs + clock.now() - startedAt);
    const getLectureMs = () => (isCaptured() ? getClockEndMs() : getTimedMs());
    const showClock = () => onClock(Math.round(getTimedMs()));
    const recognizer = new live.BrowserRecognizer({
      clock,
      log,
      create: (terms) => engine.create(terms),
      getTerms: () => hints.getTerms(about.languages).map(({ term }) => term),
      language,
      getTrack,
      getLectureMs,
      onTokens: (batch) => {
        this.#leaveMissedSound(live);
        words.addTokens(batch, about);
        this.#onResult(batch);
      },
      onSentenceEnd: () => words.endSentence(),
      onStateChange: () => this.#onStateChange(),
      onFailure: (reason) => this.#fail(reason),
    });
    this.#recognizer = recognizer;
    this.#live = live;
    try {
      await recognizer.start();
    } catch (error) {
      if (this.#recognizer !== recognizer) return;
      this.#fail(error instanceof RecognitionError ? error.reason : "unreachable");
    }
    if (this.#recognizer !== recognizer) return;
    this.#speech = new UnansweredSpeech();
    if (isCaptured()) return;
    const cancelTicks = every(clock, clockTickMs, showClock);
    this.#stopClock = () => {
      cancelTicks();
      stoppedMs = getTimedMs();
      showClock();
    };
  }

  /** Resolves when the last words are in the transcript. */
  async stop(): Promise<void> {
    if (this.state === "connecting") {
      // It has not heard what is captured for it.
      this.#hasMissedSpeech = true;
      this.dispose();
      return;
    }
    this.#stopClock();
    const { isLong } = this.#speech;
    const isAnswered = await this.#recognizer?.stop();
    if (isAnswered === false && isLong) this.#hasMissedSpeech = true;
    this.#end();
  }

  /** A chunk of `chunkMs` was captured, up to the end of the lecture's clock. `level`: see `measureLevel`. */
  onSound(chunkMs: number, level: number): void {
    if (this.#recognizer === null || this.#live === null) return;
    const nowMs = this.deps.getClockEndMs();
    this.#activity ??= new this.#live.VoiceActivity(chunkMs);
    this.#activity.add(level);
    const isSpeech = this.#activity.intervals.at(-1)?.endMs === this.#activity.endMs;
    if (isSpeech) this.#speech.add(nowMs - chunkMs, nowMs);
    else if (this.#speech.startMs === null && !this.#hasMissedSpeech)
      this.deps.onRecognized(nowMs - resultDelayMs);
    if (nowMs - (this.#backSinceMs ?? nowMs) >= backMinMs) this.#onBack();
    if (this.#problem !== null) return;
    if (nowMs - (this.#awaySinceMs ?? nowMs) >= awayMaxMs) this.#setProblem("unreachable");
    else if (this.#speech.isStalled(nowMs)) this.#setProblem("stalled");
  }

  wake(): void {
    this.#recognizer?.wake();
  }

  /** The microphone is another device now. */
  onMicrophoneChange(): void {
    this.#recognizer?.renew();
  }

  /** Another engine takes over what has no words. */
  replace(): void {
    this.dispose();
    this.#problem = null;
    this.#hasMissedSpeech = false;
  }

  dispose(): void {
    this.#stopClock();
    this.#recognizer?.dispose();
    this.#end();
  }

  #onResult({ tokens }: RelayTokens): void {
    const nowMs = this.deps.getClockEndMs();
    const interimMs = tokens.find((token) => !token.is_final)?.start_ms ?? null;
    this.#speech.onResult(nowMs, interimMs);
    this.deps.onRecognized((this.#speech.startMs ?? nowMs) - resultDelayMs);
    this.#onBack();
    if (this.#problem?.reason === "stalled") this.#setProblem(null);
  }

  #onStateChange(): void {
    const { state } = this;
    const nowMs = this.deps.getClockEndMs();
    if (state === "reconnecting") {
      this.#awaySinceMs ??= nowMs;
      this.#backSinceMs = null;
    } else if (state === "live" && this.#awaySinceMs !== null) {
      this.#backSinceMs = nowMs;
      this.#hearsSinceMs = nowMs;
      this.#noteMissedSpeech();
      this.#speech = new UnansweredSpeech();
      if (!this.#hasMissedSpeech) this.deps.onRecognized(nowMs);
    }
    this.deps.onChange();
  }

  /** The browser does hear again. */
  #onBack(): void {
    if (this.#awaySinceMs === null) return;
    this.#awaySinceMs = null;
    this.#backSinceMs = null;
    if (this.#problem?.reason === "unreachable") this.#setProblem(null);
  }

  /** Speech that no session has answered until now is missed. */
  #noteMissedSpeech(): void {
    if (this.#awaySinceMs !== null && this.#speech.startMs !== null) this.#hasMissedSpeech = true;
  }

  /** Only a result shows that the session hears: each one that ends at once would cut the sound, and maybe a word. */
  #leaveMissedSound(live: LivePath): void {
    if (!this.#hasMissedSpeech) return;
    this.#hasMissedSpeech = false;
    this.deps.onSoundMissed(live, this.#hearsSinceMs);
  }

  #fail(reason: RecognitionFailure): void {
    this.dispose();
    this.#setProblem(reason);
    this.deps.onFailure(reason);
  }

  #setProblem(reason: SpeechProblem["reason"] | null): void {
    this.#problem = reason === null ? null : { engine: "browser", reason };
    this.deps.onChange();
  }

  #end(): void {
    this.#stopClock = () => {};
    this.#noteMissedSpeech();
    this.#awaySinceMs = null;
    this.#backSinceMs = null;
    this.#recognizer = null;
    this.#words?.close();
    this.#words = null;
  }
}
