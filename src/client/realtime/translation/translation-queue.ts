import type { Clock, Log } from "#client/realtime/platform/ports.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import { getBackoffMs } from "#shared/backoff.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { translateTextMaxLength } from "#shared/limits.ts";
import { isBudgetError } from "./model-pause.ts";

const translationsAtOnce = 4;
export const translationTimeoutMs = 20_000;
/** A refusal by the translator stands after so many. An unreachable server is no refusal: it is tried on and on. */
const translationTries = 3;
/** `maxMs` holds also for a server that asks for a longer pause. */
const retries = { firstMs: 1_000, maxMs: 15_000 };

export interface TranslationJob {
  position: number;
  text: string;
  language: TranslationLanguage;
  context: string;
  wordContext: string;
}

interface Failure {
  kind: "failed";
  /** The day's budget is used up: nothing is wrong with the sentence, and others fare no better. */
  isBudgetExhausted: boolean;
  isRetryable: boolean;
  /** The server, or the network before it, gave no answer of its own. */
  isUnreachable: boolean;
  /** Pause that the server asked for. */
  retryAfterMs: number;
}

const canRetry = ({ isRetryable: retryable, isUnreachable: unreachable }: Failure, tries: number) =>
  retryable && (unreachable || tries < translationTries);

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  log: Log;
  /** `text` null: it failed for good. */
  onDone(job: TranslationJob, text: string | null): void;
}

/**
 * Translates sentences, up to four at once, in the order they were spoken. Each answer goes to its
 * own row when it comes; one that is slow or waits for a second try holds up nobody. Once the day's
 * budget is used up, all of them wait until there is more.
 */
export class TranslationQueue {
  readonly #deps: Deps;
  readonly #waiting: { job: TranslationJob; tries: number }[] = [];
  readonly #running = new Map<TranslationJob, AbortController>();
  /** Each cancels its pause and puts its job back. */
  readonly #retries = new Map<TranslationJob, { cancel(): void; resume(): void }>();
  readonly #idleListeners = new Set<() => void>();
  /** Ends the wait for more of the day's budget; null while there is some. */
  #budgetPause: { cancel(): void } | null = null;
  #isDisposed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Sentences whose answer is to come; none while the day's budget is used up. */
  get pendingCount(): number {
    if (this.#budgetPause !== null) return 0;
    return this.#waiting.length + this.#running.size + this.#retries.size;
  }

  add(job: TranslationJob): void {
    if (this.#isDisposed) return;
    this.#waiting.push({ job, tries: 0 });
    this.#startNext();
  }

  /** Calls `listener` once, when nothing is pending; at once when that is so already. */
  whenIdle(listener: () => void): void {
    if (this.pendingCount === 0) listener();
    else this.#idleListeners.add(listener);
  }

  /** The network may be back: what waits for another try gets it now. */
  wake(): void {
    this.#endBudgetPause();
    for (const pause of [...this.#retries.values()]) pause.resume();
  }

  /** Asks no more for `job`; no answer to it is reported. */
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
    while (this.#budgetPause === null && this.#running.size < translationsAtOnce) {
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
      this.#deps.onDone(job, outcome.kind === "done" ? outcome.text : null);
    }
    this.#startNext();
    this.#notifyIfIdle();
  }

  async #translate(
    job: TranslationJob,
    signal: AbortSignal,
  ): Promise<{ kind: "done"; text: string } | Failure> {
    const { clock, log, translate } = this.#deps;
    const { context, wordContext, language } = job;
    const text = job.text.slice(0, translateTextMaxLength);
    let isLate = () => false;
    const ask = (own: AbortSignal) => {
      isLate = () => own.aborted;
      return translate({ text, targetLanguage: language, context, wordContext }, own);
    };
    try {
      return { kind: "done", text: await withTimeout(clock, translationTimeoutMs, ask, signal) };
    } catch (error) {
      const refusal = error instanceof ApiError ? error : null;
      log.warn("translation failed", { code: refusal?.code ?? "unknown" });
      return {
        kind: "failed",
        isBudgetExhausted: isBudgetError(error),
        isRetryable: refusal?.retryable ?? false,
        isUnreachable: refusal?.code === "unavailable" && !isLate(),
        retryAfterMs: (refusal?.retryAfterSeconds ?? 0) * 1_000,
      };
    }
  }

  #pauseForBudget(ms: number): void {
    this.#budgetPause?.cancel();
    this.#budgetPause = { cancel: this.#deps.clock.after(ms, () => this.#endBudgetPause()) };
  }

  #endBudgetPause(): void {
    if (this.#budgetPause === null) return;
    this.#budgetPause.cancel();
    this.#budgetPause = null;
    this.#startNext();
  }

  #scheduleRetry(job: TranslationJob, tries: number, askedMs: number): void {
    const delayMs = Math.min(Math.max(askedMs, getBackoffMs(retries, tries - 1)), retries.maxMs);
    const resume = () => {
      pause.cancel();
      this.#retries.delete(job);
      // Ahead of later sentences: the reader is waiting at this one.
      this.#waiting.unshift({ job, tries });
      this.#startNext();
    };
    const pause = { cancel: this.#deps.clock.after(delayMs, resume), resume };
    this.#retries.set(job, pause);
  }

  #notifyIfIdle(): void {
    if (this.pendingCount > 0) return;
    const listeners = [...this.#idleListeners];
    this.#idleListeners.clear();
    for (const listener of listeners) listener();
  }
}
