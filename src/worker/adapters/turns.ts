import { createLlmError } from "./chat-stream.ts";

/** Most calls at the same time to a server that gets no slower by them. */
const widthMax = 16;
/** A call beside others may take this much longer than one alone. */
const slowdownMax = 1.4;
/** Calls alone before more are tried, at first and after more were too slow. */
const triedAfter = { first: 3, again: 25 };
/** Weight of the newest call in the time of a call alone. */
const newest = 0.3;

/**
 * How many calls at a time a server is worth, as measured: one, until several take about as long as one alone. A small
 * machine that answers two takes twice as long for each.
 */
export class MeasuredWidth {
  /** Calls that may run at the same time. */
  width = 1;
  #msAlone: number | null = null;
  #aloneUntilTrial = triedAfter.first;

  /** A call has ended that took `ms` for its `size`, with at most `atOnce` calls at the same time. */
  add({ ms, size, atOnce }: { ms: number; size: number; atOnce: number }): void {
    const pace = ms / Math.max(1, size);
    if (atOnce <= 1) {
      this.#msAlone =
        this.#msAlone === null ? pace : this.#msAlone + newest * (pace - this.#msAlone);
      this.#aloneUntilTrial -= 1;
      if (this.width === 1 && this.#aloneUntilTrial <= 0) this.width = 2;
      return;
    }
    if (atOnce < this.width || this.#msAlone === null) return;
    if (pace <= slowdownMax * this.#msAlone) {
      this.width = Math.min(widthMax, this.width + 1);
      return;
    }
    this.width = Math.max(1, Math.min(this.width, atOnce) - 1);
    this.#aloneUntilTrial = triedAfter.again;
  }
}

/** The turn of a call, which ends it. */
export interface Turn {
  /** `size`: of the call's work, in any unit; null if it has failed, so that its time says nothing. */
  end(size: number | null): void;
}

interface Waiting {
  isShort: boolean;
  start(turn: Turn): void;
}

/**
 * Calls to a server wait here for their turn, so that each has the server for itself, or shares it with few, and a limit of
 * time counts from when it runs. Short ones go first.
 */
export class Turns {
  readonly #measured = new MeasuredWidth();
  readonly #running = new Set<{ atOnce: number }>();
  readonly #waiting: Waiting[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** @throws AppError `llm_failed` when `signal` aborts while the call waits */
  async take(isShort: boolean, signal: AbortSignal | undefined): Promise<Turn> {
    return this.#running.size < this.#measured.width ? this.#begin() : this.#wait(isShort, signal);
  }

  #begin(): Turn {
    const own = { atOnce: 0 };
    this.#running.add(own);
    for (const one of this.#running) one.atOnce = Math.max(one.atOnce, this.#running.size);
    const startedAt = this.now();
    return {
      end: (size) => {
        if (!this.#running.delete(own)) return;
        if (size !== null)
          this.#measured.add({ ms: this.now() - startedAt, size, atOnce: own.atOnce });
        this.#startNext();
      },
    };
  }

  #wait(isShort: boolean, signal: AbortSignal | undefined): Promise<Turn> {
    const { promise, resolve, reject } = Promise.withResolvers<Turn>();
    const one: Waiting = { isShort, start: resolve };
    const leave = () => {
      const at = this.#waiting.indexOf(one);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(createLlmError("the caller hung up"));
    };
    if (signal?.aborted) leave();
    else this.#waiting.push(one);
    signal?.addEventListener("abort", leave);
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  #startNext(): void {
    const free = this.#measured.width - this.#running.size;
    for (let started = 0; started < free && this.#waiting.length > 0; started += 1) {
      const short = this.#waiting.findIndex(({ isShort }) => isShort);
      const [next] = this.#waiting.splice(Math.max(0, short), 1);
      next?.start(this.#begin());
    }
  }
}
