import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import { getBackoffMs, translateTextMaxLength } from "#shared/limits.ts";
import { compareRows, type RowOrder } from "#shared/row-order.ts";
import type { AnswerTimes } from "./answer-times.ts";
import { isBudgetError } from "./model-pause.ts";
import { NoTranslatorError } from "./translator-list.ts";

/** Attempts after errors of the translator. An unreachable server is retried without end. */
const attemptsMax = 3;
/** After answers that are none: the next one may be, but a small model that is at its end gives no better ones. */
const unusableMax = 2;
/** `maxMs` also limits the pause that the server asks for. */
const backoff = { firstMs: 1_000, maxMs: 15_000 };
/** While nothing can translate; a translator that is ready ends it. */
const pauseMs = 15_000;

export interface TranslationJob extends RowOrder {
  /** Of the row. */
  id: string;
  text: string;
  sourceLanguage: SpokenLanguage;
  language: TranslationLanguage;
  context: string;
  wordContext: string;
  /** One of a whole lecture that is translated again: these follow what was just said, from the first to the last. */
  isOfWhole?: boolean;
}

interface Deps {
  clock: Clock;
  log: Log;
  translate: SessionApi["translate"];
  /** Told of each answer; says how many requests run at the same time, and for how long. */
  times: AnswerTimes;
  /** `text` null: it has failed for good. */
  onDone(job: TranslationJob, text: string | null): void;
  /**
   * A job waits for another attempt. `isPaused`: all of them wait, because none could succeed now. `isLate`: nothing is wrong
   * but its time, while others are answered.
   */
  onWait?(error: ApiError, state: { isPaused: boolean; isLate: boolean }): void;
}

/** How far a job is; it is removed when it is done. */
interface Progress {
  state: "waiting" | "running" | "delayed";
  /** Attempts that have failed. */
  failures: number;
  /** Those among them of a translator that was reached. */
  refusals: number;
  /** Aborts the request, or cancels the next attempt. */
  stop(): void;
}

/**
 * Translates sentences, the newest first: whoever listens reads that one. Those that were passed over follow when there is
 * room. As many run at the same time as the translators are fast, up to four. Each result is reported when it arrives. When
 * the day's budget is used up or nothing can translate, all jobs wait.
 *
 * @example
 * const times = new AnswerTimes();
 * const queue = new TranslationQueue({ translate, times, clock, log, onDone: ({ id }, text) => show(id, text) });
 * queue.add({ id: "1", startMs: 0, ordinal: 0, text: "Good morning.", sourceLanguage: "en", language: "fr", context: "", wordContext: "" });
 * onWake(() => queue.wake());
 */
export class TranslationQueue {
  readonly #jobs = new Map<TranslationJob, Progress>();
  #runningCount = 0;
  readonly #idleListeners = new Set<() => void>();
  /** Runs while the day's budget is used up, or nothing can translate. */
  readonly #pause: Timer;
  #isDisposed = false;

  constructor(private readonly deps: Deps) {
    this.#pause = new Timer(deps.clock);
  }

  /** Number of jobs without a result; 0 while all of them wait. */
  get pendingCount(): number {
    return this.#pause.isRunning ? 0 : this.#jobs.size;
  }

  add(job: TranslationJob): void {
    if (this.#isDisposed) return;
    this.#jobs.set(job, { state: "waiting", failures: 0, refusals: 0, stop() {} });
    this.#update();
  }

  /** Calls `listener` once, as soon as nothing is pending. */
  whenIdle(listener: () => void): void {
    this.#idleListeners.add(listener);
    this.#update();
  }

  /** Retries immediately: the network or the person is back. */
  wake(): void {
    this.#pause.cancel();
    for (const progress of this.#jobs.values()) {
      if (progress.state !== "delayed") continue;
      progress.stop();
      progress.state = "waiting";
    }
    this.#update();
  }

  /** Removes `job`; its result is not reported. */
  cancel(job: TranslationJob): void {
    this.#jobs.get(job)?.stop();
    this.#jobs.delete(job);
    this.#update();
  }

  clear(): void {
    for (const { stop } of this.#jobs.values()) stop();
    this.#jobs.clear();
    this.#pause.cancel();
    this.#update();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }

  /** Starts the next jobs, or notifies that nothing is pending. */
  #update(): void {
    while (!this.#pause.isRunning && this.#runningCount < this.deps.times.width) {
      const next = this.#findNext();
      if (next === null) break;
      void this.#run(...next);
    }
    if (this.pendingCount > 0) return;
    const listeners = [...this.#idleListeners];
    this.#idleListeners.clear();
    for (const listener of listeners) listener();
  }

  #findNext(): [TranslationJob, Progress] | null {
    let next: [TranslationJob, Progress] | null = null;
    for (const entry of this.#jobs)
      if (entry[1].state === "waiting" && (next === null || comesBefore(entry[0], next[0])))
        next = entry;
    return next;
  }

  async #run(job: TranslationJob, progress: Progress): Promise<void> {
    const { clock, log, translate, times, onDone, onWait } = this.deps;
    const { context, wordContext, sourceLanguage, language: targetLanguage } = job;
    const text = job.text.slice(0, translateTextMaxLength);
    const controller = new AbortController();
    progress.state = "running";
    progress.stop = () => controller.abort();
    this.#runningCount += 1;
    let isLate = () => false;
    const run = new RunTime(clock);
    const onQueue = (isWaiting: boolean) => run.setWaiting(isWaiting);
    const call = (signal: AbortSignal) => {
      isLate = () => signal.aborted;
      const input = { text, sourceLanguage, targetLanguage, context, wordContext, onQueue };
      return translate(input, signal);
    };
    let answer: string | null = null;
    let failure: ApiError | null = null;
    const { limitMs } = times;
    const startedAt = clock.now();
    try {
      const getLeftMs = () => limitMs - run.ms;
      answer = await withTimeout(clock, limitMs, call, controller.signal, getLeftMs);
      times.add(clock.now() - startedAt, clock.now(), run.ms);
    } catch (error) {
      failure = error instanceof ApiError ? error : null;
      if (isLate() && !controller.signal.aborted) times.addTimeout();
      log.warn("translation failed", { code: failure?.code ?? "unknown" });
    }
    this.#runningCount -= 1;
    if (this.#jobs.get(job) === progress) {
      const retryAfterMs = (failure?.retryAfterSeconds ?? 0) * 1_000;
      const isUnreachable = failure?.code === "unavailable" && !isLate();
      if (isBudgetError(failure) || failure instanceof NoTranslatorError) {
        // Every other job would fail too.
        progress.state = "waiting";
        this.#pause.start(retryAfterMs || pauseMs, () => this.#update());
        onWait?.(failure, { isPaused: true, isLate: false });
      } else if (
        failure?.retryable &&
        (isUnreachable || progress.refusals + 1 < getAttemptsMax(failure))
      ) {
        if (!isUnreachable) progress.refusals += 1;
        this.#scheduleRetry(progress, retryAfterMs);
        onWait?.(failure, { isPaused: false, isLate: isLate() && times.isAlive(clock.now()) });
      } else {
        this.#jobs.delete(job);
        onDone(job, answer);
      }
    }
    this.#update();
  }

  #scheduleRetry(progress: Progress, retryAfterMs: number): void {
    const delayMs = Math.max(retryAfterMs, getBackoffMs(backoff, progress.failures));
    progress.failures += 1;
    progress.state = "delayed";
    progress.stop = this.deps.clock.after(Math.min(delayMs, backoff.maxMs), () => {
      progress.state = "waiting";
      this.#update();
    });
  }
}

/** The time of a request without that in which it waits for its turn. A wait ends by itself where the connection is lost. */
class RunTime {
  #ms = 0;
  #since: number | null;

  constructor(private readonly clock: Clock) {
    this.#since = clock.now();
  }

  get ms(): number {
    return this.#ms + (this.#since === null ? 0 : Math.max(0, this.clock.now() - this.#since));
  }

  setWaiting(isWaiting: boolean): void {
    this.#ms = this.ms;
    this.#since = isWaiting ? null : this.clock.now();
  }
}

const getAttemptsMax = ({ code }: ApiError): number =>
  code === "llm_unusable" ? unusableMax : attemptsMax;

function comesBefore(a: TranslationJob, b: TranslationJob): boolean {
  const isOfWhole = a.isOfWhole ?? false;
  if (isOfWhole !== (b.isOfWhole ?? false)) return !isOfWhole;
  const order = compareRows(a, b);
  return isOfWhole ? order < 0 : order > 0;
}
