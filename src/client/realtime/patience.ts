import { ApiError } from "./contract.ts";
import type { Clock, Log } from "./ports.ts";

const tries = 4;
const firstRetryMs = 500;

/** Calls again, after growing pauses, what fails in passing; four times at most. @throws what the last call threw */
export async function patiently<T>(clock: Clock, call: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable || failures + 1 >= tries) throw error;
      await new Promise<void>((resolve) => clock.after(firstRetryMs * 2 ** failures, resolve));
    }
  }
}

/** Runs operations one after the other. */
export class SerialQueue {
  readonly #log: Log;
  #tail: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves when everything so far has run. */
  get tail(): Promise<void> {
    return this.#tail;
  }

  /** Runs `operation` after those before it. Never rejects: what it throws is logged. */
  run(operation: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      try {
        await operation();
      } catch (error) {
        this.#log.warn("session operation failed", { error: String(error) });
      }
    });
    return this.#tail;
  }
}
