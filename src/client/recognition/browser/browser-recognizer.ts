import { type Clock, Timer } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { RetryTimer } from "#client/lib/retry-timer.ts";
import { removeOverlap } from "#client/recognition/overlap.ts";
import type { ConnectionState } from "#client/recognition/speech-engine.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import type { RelayTokens } from "#shared/relay.ts";
import { type RecognitionResult, readResults, type TimedText, toTokens } from "./read-results.ts";
import {
  RecognitionError,
  type RecognitionFailure,
  type SpeechErrorCode,
  type SpeechRecognition,
  type SpeechResultEvent,
} from "./web-speech.ts";

/** A session that has not begun after this time never will. */
const openTimeoutMs = 2_500;
/** A new session may report `start` and fail directly afterwards. */
const settleMs = 700;
/** Chromium sends no `end` after some errors. */
const endTimeoutMs = 1_000;
/** Time for the last result after `stop`. */
const stopTimeoutMs = 3_000;
/** A session that lasted this long has not failed at once. */
const stableMs = 1_000;
/** Chrome ends a session after about a minute. From this age on, a pause is used for a new one. */
const renewAfterMs = 50_000;
/** Failures in a row before the first word: the engine does not work here. The page says so within 6 s. */
const startAttempts = 2;
const backoff: Backoff = { firstMs: 300, maxMs: 10_000 };
/** Sound that two sessions have heard is in the later one's results by this time, ms. */
const repeatMaxMs = 5_000;
/** Words are shown some time after they were spoken. */
const recognitionDelayMs = 400;

export interface RecognizerDeps {
  create(terms: readonly string[]): SpeechRecognition;
  /** What is likely to be said. */
  getTerms(): readonly string[];
  /** What `create` recognises. */
  language: SpokenLanguage;
  /** The open microphone; null: the browser opens its default one by itself. */
  getTrack(): MediaStreamTrack | null;
  clock: Clock;
  log: Log;
  /** The current time on the lecture's clock, ms. */
  getLectureMs(): number;
  /** Words without a speaker; times are on the lecture's clock. */
  onTokens(batch: RelayTokens): void;
  /** The last final words end a sentence; browsers often send no punctuation. */
  onSentenceEnd(): void;
  onStateChange(): void;
  /** The recognition has ended for good, after `start` had resolved. */
  onFailure(reason: RecognitionFailure): void;
}

/** One session of the browser, from `start()` to its `end` event. */
interface Session {
  recognition: SpeechRecognition;
  startedAt: number;
  deliveredCount: number;
  interim: string;
  hasResult: boolean;
  error: SpeechErrorCode | null;
  readonly timeout: Timer;
}

/**
 * Recognises speech with the browser's own engine and reports words as the room does. Browsers end a
 * session after silence or about a minute, so sessions follow one another; text that was still interim
 * at such an end becomes final. Does not own the microphone.
 */
export class BrowserRecognizer {
  #state: ConnectionState = "idle";
  #session: Session | null = null;
  #isWanted = false;
  #hasWords = false;
  /** The engine refuses phrases: it is told no terms any more. */
  #refusesTerms = false;
  /** Last text of the previous session that was not final; the next session may hear its end again. */
  #previousInterim = "";
  /** When that session ended, ms since the epoch. */
  #previousEndedAt = 0;
  /** End of the delivered words, ms on the lecture's clock. */
  #deliveredMs: number;
  /** Start of the words that are not delivered yet. */
  #utteranceMs: number | null = null;
  /** Counts sessions in a row that failed at once. */
  readonly #retry: RetryTimer;
  #startWaiter: { resolve(): void; reject(error: RecognitionError): void } | null = null;
  readonly #stopWaiters = new Set<(isAnswered: boolean) => void>();

  constructor(private readonly deps: RecognizerDeps) {
    this.#deliveredMs = deps.getLectureMs();
    const getDelayMs = (failures: number) => getBackoffMs(backoff, failures);
    this.#retry = new RetryTimer(deps.clock, getDelayMs, () => this.#openSession());
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Resolves when the browser listens. @throws RecognitionError */
  start(): Promise<void> {
    this.#isWanted = true;
    this.#setState("connecting");
    return new Promise((resolve, reject) => {
      this.#startWaiter = { resolve, reject };
      this.#openSession();
    });
  }

  /** Resolves when the last words are delivered. False: the browser has failed, or has not answered. */
  stop(): Promise<boolean> {
    this.#isWanted = false;
    this.#retry.cancel();
    this.#resolveStart();
    const session = this.#session;
    if (session === null) {
      this.#setState("idle");
      return Promise.resolve(true);
    }
    this.#setState("draining");
    session.timeout.start(stopTimeoutMs, () => {
      session.error ??= "network";
      this.#endSession(session);
    });
    return new Promise((resolve) => {
      this.#stopWaiters.add(resolve);
      session.recognition.stop();
    });
  }

  /** Retries immediately. */
  wake(): void {
    this.#retry.runNow();
  }

  /** The device that the session hears was closed: after its last words the next one hears the open device. */
  renew(): void {
    const session = this.#session;
    if (session === null || !this.#isWanted) return;
    // As after an ordinary end: the next session begins at once.
    session.hasResult = true;
    session.timeout.start(endTimeoutMs, () => this.#endSession(session));
    session.recognition.stop();
  }

  dispose(): void {
    this.#isWanted = false;
    this.#retry.cancel();
    this.#resolveStart();
    if (this.#session !== null) this.#endSession(this.#session);
    this.#setState("idle");
  }

  #openSession(): void {
    const { clock, create, getTrack, getTerms, log } = this.deps;
    const recognition = create(this.#refusesTerms ? [] : getTerms());
    const session: Session = {
      recognition,
      startedAt: clock.now(),
      deliveredCount: 0,
      interim: "",
      hasResult: false,
      error: null,
      timeout: new Timer(clock),
    };
    this.#session = session;
    session.timeout.start(openTimeoutMs, () => {
      session.error ??= "network";
      this.#endSession(session);
    });
    recognition.onstart = () => this.#onStart(session);
    recognition.onresult = (event) => this.#onResult(session, event);
    recognition.onend = () => this.#endSession(session);
    recognition.onerror = ({ error }) => {
      if (session !== this.#session) return;
      session.error ??= error;
      if (error !== "no-speech") log.warn("browser recognition failed", { error });
      if (error === "phrases-not-supported" && !this.#refusesTerms) {
        this.#refusesTerms = true;
        // As after an ordinary end: the next session begins at once.
        session.error = null;
        session.hasResult = true;
        this.#endSession(session);
        return;
      }
      session.timeout.start(endTimeoutMs, () => this.#endSession(session));
    };
    try {
      const track = getTrack();
      if (track === null) recognition.start();
      else recognition.start(track);
    } catch {
      session.error ??= "aborted";
      this.#endSession(session);
    }
  }

  #onStart(session: Session): void {
    if (session !== this.#session || !this.#isWanted || session.error !== null) return;
    session.timeout.cancel();
    if (this.#startWaiter === null) this.#setState("live");
    else session.timeout.start(settleMs, () => this.#onListening());
  }

  #onListening(): void {
    this.#resolveStart();
    if (this.#isWanted) this.#setState("live");
  }

  #resolveStart(): void {
    this.#startWaiter?.resolve();
    this.#startWaiter = null;
  }

  #onResult(session: Session, event: SpeechResultEvent): void {
    if (session !== this.#session) return;
    const isFirst = session.deliveredCount === 0;
    const isLate = this.deps.clock.now() - this.#previousEndedAt >= repeatMaxMs;
    if (isLate && !session.hasResult) this.#previousInterim = "";
    session.hasResult = true;
    const results = readResults(toResults(event), session.deliveredCount, this.deps.language);
    session.deliveredCount = results.deliveredCount;
    const texts = [...results.finals, results.interim];
    // Only the beginning of a session can repeat the end of the previous one.
    if (isFirst) texts[0] = removeOverlap(this.#previousInterim, texts[0] ?? "");
    session.interim = texts.pop() ?? "";
    if (session.deliveredCount > 0) this.#previousInterim = "";
    if (this.#isWanted) this.#onListening();
    this.#deliver(texts, session.interim);
    // The speaker pauses: a better moment for a new session than the one the browser would choose.
    const isOld = this.deps.clock.now() - session.startedAt >= renewAfterMs;
    if (isOld && session.interim === "" && this.#isWanted) session.recognition.stop();
  }

  #deliver(finals: readonly string[], interim: string): void {
    const nowMs = Math.max(this.#deliveredMs, this.deps.getLectureMs());
    let startMs = this.#utteranceMs ?? Math.max(this.#deliveredMs, nowMs - recognitionDelayMs);
    const texts = finals.filter((text) => text !== "");
    for (const [index, text] of texts.entries()) {
      const endMs = startMs + (nowMs - startMs) / (texts.length - index);
      this.#hasWords = true;
      this.#deliveredMs = endMs;
      this.#report({ text, isFinal: true, startMs, endMs });
      this.deps.onSentenceEnd();
      startMs = endMs;
    }
    this.#report({ text: interim, isFinal: false, startMs, endMs: nowMs });
    this.#utteranceMs = interim === "" ? null : startMs;
  }

  #report(words: TimedText): void {
    const tokens = toTokens(words, this.deps.language);
    const times = {
      audio_final_proc_ms: this.#deliveredMs,
      audio_total_proc_ms: this.deps.getLectureMs(),
    };
    this.deps.onTokens({ type: "tokens", tokens, ...times });
  }

  #endSession(session: Session): void {
    if (session !== this.#session) return;
    this.#session = null;
    session.timeout.cancel();
    const { recognition } = session;
    recognition.onstart = recognition.onresult = recognition.onerror = recognition.onend = null;
    recognition.abort();
    if (session.interim !== "") {
      this.#previousInterim = session.interim;
      this.#previousEndedAt = this.deps.clock.now();
      this.#deliver([session.interim], "");
    }
    if (!this.#isWanted) {
      this.#setState("idle");
      for (const resolve of this.#stopWaiters) resolve(!hasFailed(session));
      this.#stopWaiters.clear();
      return;
    }
    this.#continue(session);
  }

  /** Opens the next session, at once after an ordinary end and later after a failure. */
  #continue(session: Session): void {
    const { clock } = this.deps;
    const { error } = session;
    const isOrdinary =
      !hasFailed(session) && (session.hasResult || clock.now() - session.startedAt >= stableMs);
    if (isOrdinary) {
      this.#retry.reset();
      this.#openSession();
      return;
    }
    const reason = (error && failures[error]) ?? "unreachable";
    // Another attempt changes only these.
    const canPass = reason === "unreachable" || reason === "missing";
    const isHopeless = reason !== "unreachable" || !this.#hasWords;
    if (!canPass || (isHopeless && this.#retry.failures + 1 >= startAttempts)) {
      this.#fail(reason);
      return;
    }
    this.#setState(this.#startWaiter === null ? "reconnecting" : "connecting");
    this.#retry.schedule();
  }

  #fail(reason: RecognitionFailure): void {
    this.#isWanted = false;
    this.#retry.cancel();
    this.#setState("idle");
    const waiter = this.#startWaiter;
    this.#startWaiter = null;
    if (waiter === null) this.deps.onFailure(reason);
    else waiter.reject(new RecognitionError(reason));
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.deps.onStateChange();
  }
}

const hasFailed = ({ error }: Session): boolean => error !== null && error !== "no-speech";

function toResults({ results }: SpeechResultEvent): RecognitionResult[] {
  return Array.from(results, (result) => ({
    text: result[0]?.transcript ?? "",
    isFinal: result.isFinal,
    confidence: result[0]?.confidence ?? 0,
  }));
}

const failures: Partial<Record<SpeechErrorCode, RecognitionFailure>> = {
  "not-allowed": "denied",
  "service-not-allowed": "refused",
  "language-not-supported": "noLanguage",
  "audio-capture": "missing",
};
