import { ApiError } from "#client/lib/call-server.ts";
import { Timer } from "#client/lib/clock.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import { getBackoffMs, translateTextMaxLength } from "#shared/limits.ts";
import { isBudgetError } from "./model-pause.ts";
import { NoTranslatorError } from "./translator-list.ts";

const concurrency = 4;
export const translationTimeoutMs = 20_000;
/** Attempts after errors of the translator. An unreachable server is retried without end. */
const attemptsMax = 3;
/** `maxMs` also limits the pause that the server asks for. */
const backoff = { firstMs: 1_000, maxMs: 15_000 };
/** While nothing can translate; a translator that is ready ends it. */
const pauseMs = 15_000;

export interface TranslationJob {
  position: number;
  text: string;
  sourceLanguage: SpokenLanguage;
  language: TranslationLanguage;
  context: string;
  wordContext: string;
}

interface Deps extends Pick<SessionPorts, "clock" | "log"> {
  translate: SessionApi["translate"];
  /** `text` null: it has failed for good. */
  onDone(job: TranslationJob, text: string | null): void;
  /** A job waits for another attempt. `isPaused`: all of them wait, because none could succeed now. */
  onWait?(error: ApiError, isPaused: boolean): void;
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
 * Translates sentences in order, up to four at the same time. Each result is reported when it arrives;
 * a slow or retried job does not delay the others. When the day's budget is used up or nothing can translate, all
 * jobs wait.
 *
 * @example
 * const queue = new TranslationQueue({ translate, clock, log, onDone: ({ position }, text) => show(position, text) });
 * queue.add({ position: 0, text: "Good morning.", sourceLanguage: "en", language: "fr", context: "", wordContext: "" });
 * onWake(() => queue.wake());
 */
export class TranslationQueue {
  /** In the order in which they were added: a retried sentence goes first, because the reader waits for it. */
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
    for (const [job, progress] of this.#jobs) {
      if (this.#pause.isRunning || this.#runningCount >= concurrency) break;
      if (progress.state === "waiting") void this.#run(job, progress);
    }
    if (this.pendingCount > 0) return;
    const listeners = [...this.#idleListeners];
    this.#idleListeners.clear();
    for (const listener of listeners) listener();
  }

  async #run(job: TranslationJob, progress: Progress): Promise<void> {
    const { clock, log, translate, onDone, onWait } = this.deps;
    const { context, wordContext, sourceLanguage, language: targetLanguage } = job;
    const text = job.text.slice(0, translateTextMaxLength);
    const controller = new AbortController();
    progress.state = "running";
    progress.stop = () => controller.abort();
    this.#runningCount += 1;
    let isLate = () => false;
    const call = (signal: AbortSignal) => {
      isLate = () => signal.aborted;
      return translate({ text, sourceLanguage, targetLanguage, context, wordContext }, signal);
    };
    let answer: string | null = null;
    let failure: ApiError | null = null;
    try {
      answer = await withTimeout(clock, translationTimeoutMs, call, controller.signal);
    } catch (error) {
      failure = error instanceof ApiError ? error : null;
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
        onWait?.(failure, true);
      } else if (failure?.retryable && (isUnreachable || progress.refusals + 1 < attemptsMax)) {
        if (!isUnreachable) progress.refusals += 1;
        this.#scheduleRetry(progress, retryAfterMs);
        onWait?.(failure, false);
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
