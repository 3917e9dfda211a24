import type { TranslationLanguage } from "../../shared/languages.ts";
import { translateTextMaxLength } from "../../shared/limits.ts";
import type { Clock, Log } from "./ports.ts";
import { ApiError, type SessionApi } from "./session-api.ts";

const translationsAtOnce = 4;
export const translationTimeoutMs = 20_000;
/** A refusal by the translator stands after so many. An unreachable server is no refusal: it is tried on and on. */
const translationTries = 3;
const retryDelayMs = 1_000;
/** The longest pause between two tries, also for a server that asks for a longer one. */
const retryDelayMaxMs = 15_000;

export interface TranslationJob {
  position: number;
  text: string;
  language: TranslationLanguage;
  context: string;
  wordContext: string;
}

interface Failure {
  kind: "failed";
  retryable: boolean;
  /** The server, or the network before it, gave no answer of its own. */
  unreachable: boolean;
  /** Pause that the server asked for. */
  askedMs: number;
}

const mayTryAgain = ({ retryable, unreachable }: Failure, tries: number) =>
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
 * own row when it comes; one that is slow or waits for a second try holds up nobody.
 */
export class TranslationQueue {
  readonly #deps: Deps;
  readonly #waiting: { job: TranslationJob; tries: number }[] = [];
  readonly #running = new Map<TranslationJob, AbortController>();
  /** Each cancels its pause and puts its job back. */
  readonly #pausing = new Map<TranslationJob, { cancel(): void; resume(): void }>();
  readonly #idle = new Set<() => void>();
  #disposed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Sentences that have no answer yet. */
  get pending(): number {
    return this.#waiting.length + this.#running.size + this.#pausing.size;
  }

  add(job: TranslationJob): void {
    if (this.#disposed) return;
    this.#waiting.push({ job, tries: 0 });
    this.#pump();
  }

  /** Calls `listener` once, when nothing is pending; at once when that is so already. */
  whenIdle(listener: () => void): void {
    if (this.pending === 0) listener();
    else this.#idle.add(listener);
  }

  /** The network may be back: what waits for another try gets it now. */
  wake(): void {
    for (const pause of [...this.#pausing.values()]) pause.resume();
  }

  /** Asks no more for `job`; no answer to it is reported. */
  drop(job: TranslationJob): void {
    const at = this.#waiting.findIndex((waiting) => waiting.job === job);
    if (at !== -1) this.#waiting.splice(at, 1);
    this.#pausing.get(job)?.cancel();
    this.#pausing.delete(job);
    this.#running.get(job)?.abort();
    this.#running.delete(job);
    this.#pump();
    this.#settle();
  }

  /** Drops every job. */
  clear(): void {
    this.#waiting.length = 0;
    for (const { cancel } of this.#pausing.values()) cancel();
    this.#pausing.clear();
    for (const running of this.#running.values()) running.abort();
    this.#running.clear();
    this.#settle();
  }

  /** Ends every call; no answer is reported any more. */
  dispose(): void {
    this.#disposed = true;
    this.clear();
  }

  #pump(): void {
    while (this.#running.size < translationsAtOnce) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      void this.#run(next.job, next.tries + 1);
    }
  }

  async #run(job: TranslationJob, tries: number): Promise<void> {
    const controller = new AbortController();
    this.#running.set(job, controller);
    const outcome = await this.#ask(job, controller);
    if (this.#running.get(job) !== controller) return;
    this.#running.delete(job);
    if (outcome.kind === "failed" && mayTryAgain(outcome, tries)) {
      this.#pause(job, tries, outcome.askedMs);
    } else {
      this.#deps.onDone(job, outcome.kind === "done" ? outcome.text : null);
    }
    this.#pump();
    this.#settle();
  }

  async #ask(
    job: TranslationJob,
    controller: AbortController,
  ): Promise<{ kind: "done"; text: string } | Failure> {
    // The race makes the time limit hold for a call that does not listen to its signal.
    let cancelTimer = () => {};
    const timedOut = new Promise<"timeout">((resolve) => {
      cancelTimer = this.#deps.clock.after(translationTimeoutMs, () => {
        controller.abort();
        resolve("timeout");
      });
    });
    const { text, context, wordContext, language } = job;
    try {
      const input = {
        text: text.slice(0, translateTextMaxLength),
        targetLanguage: language,
        context,
        wordContext,
      };
      const answer = await Promise.race([
        this.#deps.translate(input, controller.signal).then((translated) => ({ translated })),
        timedOut,
      ]);
      if (answer === "timeout")
        return { kind: "failed", retryable: true, unreachable: false, askedMs: 0 };
      return { kind: "done", text: answer.translated };
    } catch (error) {
      const refusal = error instanceof ApiError ? error : null;
      this.#deps.log.warn("translation failed", { code: refusal?.code ?? "unknown" });
      return {
        kind: "failed",
        retryable: refusal?.retryable ?? false,
        unreachable: refusal?.code === "unavailable",
        askedMs: (refusal?.retryAfterSeconds ?? 0) * 1_000,
      };
    } finally {
      cancelTimer();
    }
  }

  #pause(job: TranslationJob, tries: number, askedMs: number): void {
    const delayMs = Math.min(Math.max(askedMs, retryDelayMs * 2 ** (tries - 1)), retryDelayMaxMs);
    const resume = () => {
      pause.cancel();
      this.#pausing.delete(job);
      // Ahead of later sentences: the reader is waiting at this one.
      this.#waiting.unshift({ job, tries });
      this.#pump();
    };
    const pause = { cancel: this.#deps.clock.after(delayMs, resume), resume };
    this.#pausing.set(job, pause);
  }

  #settle(): void {
    if (this.pending > 0) return;
    const listeners = [...this.#idle];
    this.#idle.clear();
    for (const listener of listeners) listener();
  }
}
