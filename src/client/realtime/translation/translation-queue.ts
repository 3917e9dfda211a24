import type { Clock, Log } from "#client/realtime/platform/ports.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import { getBackoffMs } from "#shared/backoff.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { translateTextMaxLength } from "#shared/limits.ts";
import { isBudgetError } from "./model-pause.ts";

const concurrency = 4;
export const translationTimeoutMs = 20_000;
/** Attempts after errors of the translator. An unreachable server is retried without end. */
const attemptsMax = 3;
/** `maxMs` also limits the pause that the server asks for. */
const backoff = { firstMs: 1_000, maxMs: 15_000 };

export interface TranslationJob {
  position: number;
  text: string;
  language: TranslationLanguage;
  context: string;
  wordContext: string;
}

interface Failure {
  kind: "failed";
  /** The day's budget is used up, so every other job would fail too. */
  isBudgetExhausted: boolean;
  isRetryable: boolean;
  /** The server could not be reached. */
  isUnreachable: boolean;
  /** Pause that the server asks for. */
  retryAfterMs: number;
}

const canRetry = ({ isRetryable: retryable, isUnreachable: unreachable }: Failure, tries: number) =>
  retryable && (unreachable || tries < attemptsMax);

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  log: Log;
  /** `text` null: it has failed for good. */
  onDone(job: TranslationJob, text: string | null): void;
}

/**
 * Translates sentences in order, up to four at the same time. Each result is reported when it arrives;
 * a slow or retried job does not delay the others. When the day's budget is used up, all jobs wait.
 */
export class TranslationQueue {
  readonly #waiting: { job: TranslationJob; tries: number }[] = [];
  readonly #running = new Map<TranslationJob, AbortController>();
  /** Jobs that wait for their next attempt; `resume` starts it now. */
  readonly #retries = new Map<TranslationJob, { cancel(): void; resume(): void }>();
  readonly #idleListeners = new Set<() => void>();
  /** The pause while the day's budget is used up; null while there is some left. */
  #budgetPause: { cancel(): void } | null = null;
  #isDisposed = false;

  constructor(private readonly deps: Deps) {}

  /** Number of jobs without a result; 0 while the day's budget is used up. */
  get pendingCount(): number {
    if (this.#budgetPause !== null) return 0;
    return this.#waiting.length + this.#running.size + this.#retries.size;
  }

  add(job: TranslationJob): void {
    if (this.#isDisposed) return;
    this.#waiting.push({ job, tries: 0 });
    this.#startNext();
  }

  /** Calls `listener` once, as soon as nothing is pending. */
  whenIdle(listener: () => void): void {
    if (this.pendingCount === 0) listener();
    else this.#idleListeners.add(listener);
  }

  /** Retries immediately: the network or the person is back. */
  wake(): void {
    this.#endBudgetPause();
    for (const pause of [...this.#retries.values()]) pause.resume();
  }

  /** Removes `job`; its result is not reported. */
  cancel(job: TranslationJob): void {
    const at = this.#waiting.findIndex((waiting) => waiting.job === job);
    if (at !== -1) this.#waiting.splice(at, 1);
    this.#retries.get(job)?.cancel();
    this.#retries.delete(job);
    this.#running.get(job)?.abort();
    this.#running.delete(job);
    this.#startNext();
    this.#notifyIfIdle();
  }

  clear(): void {
    this.#waiting.length = 0;
    for (const { cancel } of this.#retries.values()) cancel();
    this.#retries.clear();
    for (const running of this.#running.values()) running.abort();
    this.#running.clear();
    this.#budgetPause?.cancel();
    this.#budgetPause = null;
    this.#notifyIfIdle();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }

  #startNext(): void {
    while (this.#budgetPause === null && this.#running.size < concurrency) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      void this.#run(next.job, next.tries + 1);
    }
  }

  async #run(job: TranslationJob, tries: number): Promise<void> {
    const controller = new AbortController();
    this.#running.set(job, controller);
    const outcome = await this.#translate(job, controller.signal);
    if (this.#running.get(job) !== controller) return;
    this.#running.delete(job);
    if (outcome.kind === "failed" && outcome.isBudgetExhausted) {
      this.#waiting.unshift({ job, tries: tries - 1 });
      this.#pauseForBudget(outcome.retryAfterMs);
    } else if (outcome.kind === "failed" && canRetry(outcome, tries)) {
      this.#scheduleRetry(job, tries, outcome.retryAfterMs);
    } else {
      this.deps.onDone(job, outcome.kind === "done" ? outcome.text : null);
    }
    this.#startNext();
    this.#notifyIfIdle();
  }

  async #translate(
    job: TranslationJob,
    signal: AbortSignal,
  ): Promise<{ kind: "done"; text: string } | Failure> {
    const { clock, log, translate } = this.deps;
    const { context, wordContext, language } = job;
    const text = job.text.slice(0, translateTextMaxLength);
    let isLate = () => false;
    const call = (callSignal: AbortSignal) => {
      isLate = () => callSignal.aborted;
      return translate({ text, targetLanguage: language, context, wordContext }, callSignal);
    };
    try {
      return { kind: "done", text: await withTimeout(clock, translationTimeoutMs, call, signal) };
    } catch (error) {
      const apiError = error instanceof ApiError ? error : null;
      log.warn("translation failed", { code: apiError?.code ?? "unknown" });
      return {
        kind: "failed",
        isBudgetExhausted: isBudgetError(error),
        isRetryable: apiError?.retryable ?? false,
        isUnreachable: apiError?.code === "unavailable" && !isLate(),
        retryAfterMs: (apiError?.retryAfterSeconds ?? 0) * 1_000,
      };
    }
  }

  #pauseForBudget(ms: number): void {
    this.#budgetPause?.cancel();
    this.#budgetPause = { cancel: this.deps.clock.after(ms, () => this.#endBudgetPause()) };
  }

  #endBudgetPause(): void {
    if (this.#budgetPause === null) return;
    this.#budgetPause.cancel();
    this.#budgetPause = null;
    this.#startNext();
  }

  #scheduleRetry(job: TranslationJob, tries: number, retryAfterMs: number): void {
    const delayMs = Math.min(
      Math.max(retryAfterMs, getBackoffMs(backoff, tries - 1)),
      backoff.maxMs,
    );
    const resume = () => {
      pause.cancel();
      this.#retries.delete(job);
      // Before later sentences, because the reader waits for this one.
      this.#waiting.unshift({ job, tries });
      this.#startNext();
    };
    const pause = { cancel: this.deps.clock.after(delayMs, resume), resume };
    this.#retries.set(job, pause);
  }

  #notifyIfIdle(): void {
    if (this.pendingCount > 0) return;
    const listeners = [...this.#idleListeners];
    this.#idleListeners.clear();
    for (const listener of listeners) listener();
  }
}
