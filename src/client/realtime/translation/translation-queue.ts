import { ApiError } from "#client/lib/api-error.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { getBackoffMs, translateTextMaxLength } from "#shared/limits.ts";
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

interface Deps extends Pick<SessionPorts, "clock" | "log"> {
  translate: SessionApi["translate"];
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
  /** Ends the pause while the day's budget is used up; null while there is some left. */
  #cancelBudgetPause: (() => void) | null = null;
  #isDisposed = false;

  constructor(private readonly deps: Deps) {}

  /** Number of jobs without a result; 0 while the day's budget is used up. */
  get pendingCount(): number {
    if (this.#cancelBudgetPause !== null) return 0;
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
    this.#cancelBudgetPause?.();
    this.#cancelBudgetPause = null;
    this.#notifyIfIdle();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }

  #startNext(): void {
    while (this.#cancelBudgetPause === null && this.#running.size < concurrency) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      void this.#run(next.job, next.tries + 1);
    }
  }

  async #run(job: TranslationJob, tries: number): Promise<void> {
    const { clock, log, translate, onDone } = this.deps;
    const controller = new AbortController();
    this.#running.set(job, controller);
    const { context, wordContext, language: targetLanguage } = job;
    const text = job.text.slice(0, translateTextMaxLength);
    let isLate = () => false;
    const call = (signal: AbortSignal) => {
      isLate = () => signal.aborted;
      return translate({ text, targetLanguage, context, wordContext }, signal);
    };
    let answer: string | null = null;
    let failure: ApiError | null = null;
    try {
      answer = await withTimeout(clock, translationTimeoutMs, call, controller.signal);
    } catch (error) {
      failure = error instanceof ApiError ? error : null;
      log.warn("translation failed", { code: failure?.code ?? "unknown" });
    }
    if (this.#running.get(job) !== controller) return;
    this.#running.delete(job);
    const retryAfterMs = (failure?.retryAfterSeconds ?? 0) * 1_000;
    const isUnreachable = failure?.code === "unavailable" && !isLate();
    if (isBudgetError(failure)) {
      // Every other job would fail too.
      this.#waiting.unshift({ job, tries: tries - 1 });
      this.#pauseForBudget(retryAfterMs);
    } else if (failure?.retryable && (isUnreachable || tries < attemptsMax)) {
      this.#scheduleRetry(job, tries, retryAfterMs);
    } else onDone(job, answer);
    this.#startNext();
    this.#notifyIfIdle();
  }

  #pauseForBudget(ms: number): void {
    this.#cancelBudgetPause?.();
    this.#cancelBudgetPause = this.deps.clock.after(ms, () => this.#endBudgetPause());
  }

  #endBudgetPause(): void {
    if (this.#cancelBudgetPause === null) return;
    this.#cancelBudgetPause();
    this.#cancelBudgetPause = null;
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
